import type { InboundContent, MediaKind } from "../../adapter.ts";
import { number, record, records, textOrNull, type JsonRecord } from "../meta/json.ts";
import { withoutNulls } from "../attachment-facts.ts";

/** A member of a message that is a file: our kind, the type when none is told, and its mark. */
interface FileForm {
  readonly kind: MediaKind;
  readonly mimeType: (file: JsonRecord) => string | null;
  readonly mark?: Readonly<Record<string, true>>;
}

const told = (file: JsonRecord): string | null => textOrNull(file["mime_type"]);
const or = (fallback: string) => (file: JsonRecord) => told(file) ?? fallback;

/** An animation carries a `document` too, so it comes first. */
const FORMS: readonly (readonly [member: string, form: FileForm])[] = [
  ["animation", { kind: "video", mimeType: or("video/mp4"), mark: { animated: true } }],
  ["video_note", { kind: "video", mimeType: or("video/mp4"), mark: { round: true } }],
  ["video", { kind: "video", mimeType: told }],
  ["voice", { kind: "audio", mimeType: or("audio/ogg"), mark: { voice: true } }],
  ["audio", { kind: "audio", mimeType: told }],
  ["sticker", { kind: "sticker", mimeType: stickerType }],
  ["document", { kind: "document", mimeType: told }],
];

/** A photo names no type: the platform stores all of them as JPEG. */
const PHOTO: FileForm = { kind: "image", mimeType: () => "image/jpeg" };

/** `.webp`, `.tgs` (a gzipped animation) or `.webm`; two marks of the platform tell which. */
function stickerType(file: JsonRecord): string {
  if (file["is_animated"] === true) return "application/x-tgsticker";
  return file["is_video"] === true ? "video/webm" : "image/webp";
}

/** The file of a message with its facts, and where to fetch it. Null: the message has none. */
export function readFile(message: JsonRecord, caption: string | null): InboundContent | null {
  const photo = largest(records(message["photo"]));
  if (photo !== null) return contentOf(PHOTO, photo, caption);
  for (const [member, form] of FORMS)
    if (member in message) return contentOf(form, record(message[member]), caption);
  return null;
}

/** The same picture in several sizes. Usually the last is the largest, but nothing guarantees it. */
function largest(sizes: readonly JsonRecord[]): JsonRecord | null {
  const area = (one: JsonRecord): number =>
    (number(one["width"]) ?? 0) * (number(one["height"]) ?? 0);
  return sizes.reduce<JsonRecord | null>(
    (best, one) => (best === null || area(one) >= area(best) ? one : best),
    null,
  );
}

function contentOf(form: FileForm, file: JsonRecord, caption: string | null): InboundContent {
  const { kind, mark } = form;
  const id = textOrNull(file["file_id"]);
  const fileName = textOrNull(file["file_name"]);
  const size = number(file["file_size"]);
  const attachment = {
    ...withoutNulls({
      type: kind,
      id,
      uniqueId: textOrNull(file["file_unique_id"]),
      mimeType: told(file),
      fileName,
      size,
      width: number(file["width"]),
      height: number(file["height"]),
      duration: number(file["duration"]),
      emoji: textOrNull(file["emoji"]),
      title: textOrNull(file["title"]),
      caption,
    }),
    ...mark,
  };
  // A sticker has no caption, so a list of messages shows its emoji.
  const said = kind === "sticker" ? textOrNull(file["emoji"]) : caption;
  const mimeType = form.mimeType(file);
  const media =
    id === null ? [] : [{ attachment: 0, kind, source: { id }, mimeType, fileName, size }];
  return { type: kind, text: said, attachments: [attachment], media };
}
