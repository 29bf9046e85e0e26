/** The type of a file by its first bytes, as far as the platform's own check decides by it. */
export type FileType =
  | "jpeg"
  | "png"
  | "gif"
  | "webp"
  | "ogg"
  | "mp3"
  | "m4a"
  | "mp4"
  | "webm"
  | "tgs";

export function typeOf(bytes: Buffer): FileType | null {
  const at = (text: string, offset = 0): boolean =>
    bytes.subarray(offset, offset + text.length).toString("latin1") === text;
  if (at("\xff\xd8\xff")) return "jpeg";
  if (at("\x89PNG\r\n\x1a\n")) return "png";
  if (at("GIF8")) return "gif";
  if (at("RIFF") && at("WEBP", 8)) return "webp";
  if (at("OggS")) return "ogg";
  if (at("ID3") || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)) return "mp3";
  if (at("ftyp", 4)) return at("M4A", 8) ? "m4a" : "mp4";
  if (at("\x1a\x45\xdf\xa3")) return "webm";
  return at("\x1f\x8b") ? "tgs" : null;
}

/** Width and height of a PNG; null for other types, which are not read. */
export function pngSize(bytes: Buffer): { width: number; height: number } | null {
  if (typeOf(bytes) !== "png" || bytes.length < 24) return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
