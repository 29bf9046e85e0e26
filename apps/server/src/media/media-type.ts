import { fileTypeFromBuffer } from "file-type";
import { familyOf, plainType, UNKNOWN_TYPE } from "./type-names.ts";

/** How many first bytes of a file are read to tell its type. */
export const SNIFFED_BYTES = 8_192;

/**
 * Types that a browser may show in place: pictures, sound and film that it decodes and never runs. PDF is not among
 * them: every file gets the sandbox, and behind it Chrome shows a blocked page.
 */
const INLINE = new Set([
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "image/avif",
  "audio/mpeg",
  "audio/mp4",
  "audio/x-m4a",
  "audio/aac",
  "audio/amr",
  "audio/ogg",
  "audio/webm",
  "audio/wav",
  "video/mp4",
  "video/webm",
  "video/ogg",
  "video/3gpp",
  "video/quicktime",
]);

/** No bytes tell these types. As a download under its name such a file is harmless. */
const TEXTUAL = new Set(["text/plain", "text/csv", "text/vcard", "text/x-vcard", "text/calendar"]);

/** Containers with several type names. The bytes cannot tell these names apart, so the claimed one counts. */
const CONTAINERS: readonly (readonly [sniffed: RegExp, claimed: RegExp])[] = [
  [
    /^(video|audio)\/(mp4|x-m4a|quicktime|3gpp2?)$/,
    /^(video|audio)\/(mp4|x-m4a|m4a|3gpp2?|quicktime)$/,
  ],
  [/^(video|audio|application)\/ogg$/, /^(video|audio)\/ogg$/],
  [/^(video|audio)\/(webm|matroska|x-matroska)$/, /^(video|audio)\/webm$/],
  [/^application\/zip$/, /^application\/(vnd\.(openxmlformats|oasis|ms)[\w.+-]*|epub\+zip|zip)$/],
  [/^application\/x-cfb$/, /^application\/(msword|vnd\.ms-[\w.-]+)$/],
];

/**
 * The type under which a file is kept, from its first bytes and from what its sender called it. The bytes decide: a
 * picture that is called another kind of picture is kept as what it is, and so is a document. A file that is called one
 * thing and is another (HTML as PNG), or that cannot be recognised, is kept as `application/octet-stream`. An agent may
 * still need it, so it is not refused, but it can only be downloaded. Nothing is kept as HTML, SVG, XML or script.
 */
export async function decideMediaType(claimed: string | null, head: Uint8Array): Promise<string> {
  const told = plainType(claimed);
  const sniffed = plainType((await fileTypeFromBuffer(head))?.mime ?? null);
  if (sniffed === null)
    return told !== null && TEXTUAL.has(told) && isText(head) ? told : UNKNOWN_TYPE;
  if (isActive(sniffed)) return UNKNOWN_TYPE;
  if (told === null || told === UNKNOWN_TYPE || told === sniffed) return sniffed;
  if (CONTAINERS.some(([bytes, name]) => bytes.test(sniffed) && name.test(told))) return told;
  return familyOf(told) === familyOf(sniffed) ? sniffed : UNKNOWN_TYPE;
}

/**
 * How a browser is told to treat a file: with its own type where that is safe, otherwise as a download of unknown type.
 */
export function servedAs(mimeType: string | null): {
  readonly type: string;
  readonly inline: boolean;
} {
  const inline = mimeType !== null && INLINE.has(mimeType);
  const named = inline || mimeType === "application/pdf" || mimeType === "text/plain";
  return { type: named ? withCharset(mimeType) : UNKNOWN_TYPE, inline };
}

const withCharset = (type: string): string =>
  type === "text/plain" ? "text/plain; charset=utf-8" : type;

const isActive = (type: string): boolean => /html|xml$|svg|script|xsl|mhtml/.test(type);

/**
 * Whether the bytes hold no NUL and no broken characters. That is enough for a file that is only offered as a download.
 */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
