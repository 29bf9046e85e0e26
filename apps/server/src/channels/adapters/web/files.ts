import type { MediaKind } from "../../adapter.ts";
import { OFFICE_TYPES } from "../document-types.ts";

/** The most that an agent may send, and the most that a channel can be set to accept from a visitor. */
export const WEB_MAX_FILE_BYTES = 25 * 1024 * 1024;

/** The files of web chat: types that browsers show or save and never run. No HTML, SVG or script. */
export const WEB_FILE_TYPES: Readonly<Record<MediaKind, readonly string[]>> = {
  image: ["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif"],
  audio: [
    "audio/mpeg",
    "audio/mp4",
    "audio/aac",
    "audio/ogg",
    "audio/webm",
    "audio/wav",
    "audio/x-wav",
    "audio/x-m4a",
  ],
  video: ["video/mp4", "video/webm", "video/quicktime"],
  document: ["application/pdf", "text/plain", "text/csv", "application/zip", ...OFFICE_TYPES],
  sticker: ["image/webp"],
};

/** The kind under which a type is shown; null: it is not accepted. */
export function webFileKind(mimeType: string): MediaKind | null {
  const bare = mimeType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  for (const kind of ["image", "audio", "video", "document"] as const)
    if (WEB_FILE_TYPES[kind].includes(bare)) return kind;
  return null;
}

/** Every type that is accepted from a visitor. */
export const WEB_TYPES: readonly string[] = (
  ["image", "audio", "video", "document"] as const
).flatMap((kind) => WEB_FILE_TYPES[kind]);
