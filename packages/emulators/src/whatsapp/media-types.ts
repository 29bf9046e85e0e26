import { GraphRefusal } from "./errors.ts";

const MB = 1024 * 1024;
const OFFICE = "application/vnd.openxmlformats-officedocument";

/** Types by the kind of message that carries them, with their largest size ("Supported media types"). */
export const MEDIA_TYPES = {
  audio: {
    types: ["audio/aac", "audio/mp4", "audio/mpeg", "audio/amr", "audio/ogg", "audio/opus"],
    most: 16 * MB,
  },
  document: {
    types: [
      "application/vnd.ms-powerpoint",
      "application/msword",
      `${OFFICE}.wordprocessingml.document`,
      `${OFFICE}.presentationml.presentation`,
      `${OFFICE}.spreadsheetml.sheet`,
      "application/pdf",
      "text/plain",
      "application/vnd.ms-excel",
    ],
    most: 100 * MB,
  },
  image: { types: ["image/jpeg", "image/png"], most: 5 * MB },
  sticker: { types: ["image/webp"], most: 500 * 1024 },
  video: { types: ["video/mp4", "video/3gpp"], most: 16 * MB },
} as const;

export type MediaType = keyof typeof MEDIA_TYPES;

export const isMediaType = (type: string): type is MediaType => Object.hasOwn(MEDIA_TYPES, type);

/** Checks an upload: a listed type without parameters, and its size. */
export function checkUpload(mimeType: string, size: number): void {
  const rules = Object.values(MEDIA_TYPES);
  const rule = rules.find(({ types }) => types.some((type) => type === mimeType));
  if (rule === undefined) {
    const list = rules.flatMap(({ types }) => types).join(", ");
    const text = `(#100) Param file must be a file with one of the following types: ${list}. Received file of type '${mimeType}'.`;
    throw new GraphRefusal(100, undefined, { text });
  }
  if (size === 0) throw new GraphRefusal(100, "The parameter file is required.");
  if (size > rule.most)
    throw new GraphRefusal(100, `File Too Large: the file is larger than ${rule.most} bytes.`);
}

const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString("latin1", from, to);

/** The first bytes of each type; types missing here have none of their own. */
const HEADS: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  "image/jpeg": (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8,
  "image/png": (bytes) => ascii(bytes, 1, 4) === "PNG",
  "image/webp": (bytes) => ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP",
  "audio/ogg": (bytes) => ascii(bytes, 0, 4) === "OggS" && bytes.includes("OpusHead"),
  "video/mp4": (bytes) => ascii(bytes, 4, 8) === "ftyp",
  "video/3gpp": (bytes) => ascii(bytes, 4, 8) === "ftyp",
  "application/pdf": (bytes) => ascii(bytes, 0, 5) === "%PDF-",
};

const STILL_STICKER = 100 * 1024;

/** Why an accepted file cannot be sent as a message of this type: the words of a later 131053, or null. */
export function faultOfFile(type: MediaType, mimeType: string, bytes: Buffer): string | null {
  const { types, most } = MEDIA_TYPES[type];
  const named = type.charAt(0).toUpperCase() + type.slice(1);
  if (!types.some((one) => one === mimeType))
    return `Unsupported ${named} mime type ${mimeType}. Please use one of ${types.join(", ")}.`;
  if (bytes.length > most) return `${named} file is larger than ${most} bytes.`;
  if (HEADS[mimeType] !== undefined && !HEADS[mimeType](bytes))
    return `${named} file uploaded with mimetype as ${mimeType}, however on processing it is of type application/octet-stream. Please choose a different file.`;
  const isMoving = bytes.subarray(0, 64).includes("ANIM");
  if (type === "sticker" && !isMoving && bytes.length > STILL_STICKER)
    return `Sticker file is larger than ${STILL_STICKER} bytes.`;
  return null;
}
