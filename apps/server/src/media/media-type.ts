import { fileTypeFromBuffer } from "file-type";
import type { MediaKind } from "../channels/adapter.ts";

/** How much of a file tells what it is. */
export const SNIFFED_BYTES = 8_192;

const UNKNOWN = "application/octet-stream";

/** What a browser may show in place: pictures, sound and film that it decodes and never runs. No PDF: behind the
 * sandbox that every file gets, Chrome shows a blocked page instead of one. */
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

/** Told by nothing in the bytes; harmless as a download of that name. */
const TEXTUAL = new Set(["text/plain", "text/csv", "text/vcard", "text/x-vcard", "text/calendar"]);

/** One container, several names: the bytes cannot tell them apart, so what was claimed holds. */
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

const SAME_AS: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "audio/mp3": "audio/mpeg",
  "audio/x-wav": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/m4a": "audio/mp4",
  // What the bytes of an M4A and an M4V are called; WhatsApp takes them by their registered names alone.
  "audio/x-m4a": "audio/mp4",
  // Browsers' and phones' word for Opus in an Ogg file; WhatsApp takes uploads of that name and then fails the message.
  "audio/opus": "audio/ogg",
  "video/x-m4v": "video/mp4",
};

/**
 * The type under which a file is kept, from its first bytes and what its sender called it. The bytes decide: a picture
 * that is called another kind of picture is what it is, and so is a document. What is called one thing and is quite
 * another (HTML as PNG), or cannot be told, is kept as `application/octet-stream`: an agent may still need it, so it is
 * not refused, but it can only be downloaded. Nothing is ever kept as HTML, SVG, XML or script.
 */
export async function decideMediaType(claimed: string | null, head: Uint8Array): Promise<string> {
  const told = plain(claimed);
  const sniffed = plain((await fileTypeFromBuffer(head))?.mime ?? null);
  if (sniffed === null) return told !== null && TEXTUAL.has(told) && isText(head) ? told : UNKNOWN;
  if (isActive(sniffed)) return UNKNOWN;
  if (told === null || told === UNKNOWN || told === sniffed) return sniffed;
  if (CONTAINERS.some(([bytes, name]) => bytes.test(sniffed) && name.test(told))) return told;
  return familyOf(told) === familyOf(sniffed) ? sniffed : UNKNOWN;
}

/** The headers that say how a browser treats a file: its type where that is safe, else a download of unknown kind. */
export function servedAs(mimeType: string | null): {
  readonly type: string;
  readonly inline: boolean;
} {
  const inline = mimeType !== null && INLINE.has(mimeType);
  const named = inline || mimeType === "application/pdf" || mimeType === "text/plain";
  return { type: named ? withCharset(mimeType) : UNKNOWN, inline };
}

/** The kind of an upload: what it would be sent as. */
export function kindOf(mimeType: string): MediaKind {
  const family = familyOf(mimeType);
  return family === "image" || family === "audio" || family === "video" ? family : "document";
}

const withCharset = (type: string): string =>
  type === "text/plain" ? "text/plain; charset=utf-8" : type;

const familyOf = (type: string): string => type.split("/", 1)[0] ?? "";

function plain(type: string | null): string | null {
  const bare = type?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!/^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/.test(bare)) return null;
  return SAME_AS[bare] ?? bare;
}

const isActive = (type: string): boolean => /html|xml$|svg|script|xsl|mhtml/.test(type);

/** No NUL and no half characters in what was read: good enough for a name that is only offered at a download. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
