import { shortName } from "./media.ts";

/** What WhatsApp takes in the name of a document; other platforms take more. */
const SENT_NAME_LENGTH = 240;

/** What the names of files of a type end in, the first where one is to be chosen. */
const ENDINGS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/png": ["png"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "audio/mpeg": ["mp3", "mpga"],
  "audio/mp4": ["m4a", "m4b"],
  "audio/aac": ["aac"],
  "audio/amr": ["amr"],
  // Not "opus": by that ending WhatsApp calls a file audio/opus, which it takes from nobody.
  "audio/ogg": ["ogg", "oga"],
  "video/mp4": ["mp4", "m4v"],
  "video/ogg": ["ogv"],
  "video/3gpp": ["3gp", "3gpp"],
  "video/quicktime": ["mov", "qt"],
  "application/pdf": ["pdf"],
  "application/msword": ["doc", "dot"],
  "application/vnd.ms-excel": ["xls", "xlt"],
  "application/vnd.ms-powerpoint": ["ppt", "pps", "pot"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
  "text/plain": ["txt"],
  "text/csv": ["csv"],
  "text/calendar": ["ics"],
  "text/vcard": ["vcf"],
  "text/x-vcard": ["vcf"],
};

/**
 * What a browser or the system of the reader's machine runs, installs or follows when such a file is opened from the
 * disk, whatever is in it.
 */
const ACTIVE = new RegExp(
  `\\.(?:${[
    "[xs]?html?|xht|mht(?:ml)?|svgz?|hta|htc|chm|swf",
    "exe|com|scr|pif|cpl|dll|sys|ocx|xll|gadget|jar|jnlp|class|application|appref-ms|appx(?:bundle)?|msix(?:bundle)?",
    "bat|cmd|ps[12]?(?:xml)?|psm1|psd1|ps1xml|vbe?|vbs|jse?|mjs|cjs|ws[cfh]?|sct|reg|inf|scf|msc",
    "ms[ipt]|lnk|url|website|webloc|desktop|library-ms|search-ms|settingcontent-ms|iqy|rdp|theme",
    "sh|bash|zsh|csh|ksh|fish|command|tool|workflow|terminal|scpt|applescript|app|pkg|dmg|deb|rpm|run|appimage|apk",
    "py[cw]?|pl|rb|php|iso|img|vhdx?|ade|adp|mde|accd[ae]|one",
  ].join("|")})[. ]*$`,
  "i",
);

/**
 * The name under which a file is handed out. A picture or sound without a name gets the ending of its type. A name that
 * a browser would open as a page, or the system run, ends in what the file was kept as (`x.html.pdf`), and in `.bin`
 * when that is unknown: the bytes of a page pass as many a harmless type, and on the reader's disk no header of ours
 * protects any more.
 */
export function handedOutAs(
  fileName: string | null,
  { kind, mimeType }: { readonly kind: string; readonly mimeType: string | null },
): string {
  const ending = endingOf(mimeType);
  if (fileName === null) return ending === null ? kind : `${kind}.${ending}`;
  return ACTIVE.test(fileName) ? `${fileName}.${ending ?? "bin"}` : fileName;
}

/**
 * The name under which a platform gets a file. WhatsApp goes by the ending: it refuses an upload that ends in what the
 * bytes are not (131053), and shows a document without an ending as one that nothing opens. So a name that does not end
 * as its type does gets the ending beside it; of text any ending will do.
 */
export function sentAs(
  fileName: string | null,
  { kind, mimeType }: { readonly kind: string; readonly mimeType: string },
): string {
  if (fileName === null) return handedOutAs(null, { kind, mimeType });
  const endings = ENDINGS[mimeType];
  const ending = /\.([\p{L}\p{N}]{1,10})$/u.exec(fileName)?.[1]?.toLowerCase();
  const fits =
    ending !== undefined && (mimeType.startsWith("text/") || endings?.includes(ending) === true);
  const name = endings === undefined || fits ? fileName : `${fileName}.${endings[0]}`;
  return shortName(name, SENT_NAME_LENGTH);
}

function endingOf(mimeType: string | null): string | null {
  return (
    ENDINGS[mimeType ?? ""]?.[0] ??
    /^(?:image|audio|video)\/(?:x-)?([a-z0-9]+)$/.exec(mimeType ?? "")?.[1] ??
    null
  );
}
