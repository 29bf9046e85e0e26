import { shortName } from "./media.ts";

/** The longest name of a document on WhatsApp, in characters. Other platforms take longer ones. */
const SENT_NAME_LENGTH = 240;

/** The endings of file names by type. The first one is used when we choose. */
const ENDINGS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/png": ["png"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "audio/mpeg": ["mp3", "mpga"],
  "audio/mp4": ["m4a", "m4b"],
  "audio/aac": ["aac"],
  "audio/amr": ["amr"],
  // Not "opus": WhatsApp reads that ending as audio/opus, a type that it refuses.
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
 * Endings of files that a browser or the reader's system runs, installs or follows when the file is opened from the
 * disk, whatever its bytes are.
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
 * The name under which a file is offered for download. A file without a name is called after its kind, with the ending
 * of its type. A name that a browser would open as a page, or that the system would run, gets the ending of the type as
 * which the file was kept (`x.html.pdf`), or `.bin` when that is unknown. Bytes of a page can pass as many a harmless
 * type, and on the reader's disk no header of ours protects any more.
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
 * The name under which a platform gets a file. WhatsApp goes by the ending: it refuses an upload whose ending does not
 * fit its bytes (131053), and shows a document without an ending as a file that nothing opens. So a name without a
 * fitting ending gets one appended. A text file may have any ending.
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
