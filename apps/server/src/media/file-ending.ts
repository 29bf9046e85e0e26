import { shortName } from "./media.ts";
import { ENDINGS } from "./type-names.ts";

/** The longest name of a document on WhatsApp, in characters. Other platforms take longer ones. */
const SENT_NAME_LENGTH = 240;

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
    // Documents with macros.
    "docm|dotm|xlsm|xltm|xlam|xlsb|pptm|potm|ppsm|ppam|sldm",
    "py[cw]?|pl|rb|php|iso|img|vhdx?|ade|adp|mde|accd[ae]|one",
  ].join("|")})[.\\s]*$`,
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
  // A browser may leave out invisible characters: "page.html" with one in it would be a page again.
  const seen = fileName.replaceAll(/\p{Cf}/gu, "");
  return ACTIVE.test(seen) ? `${fileName}.${ending ?? "bin"}` : fileName;
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
