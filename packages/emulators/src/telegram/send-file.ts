import type { Bot, StoredFile } from "./bot.ts";
import type { TelegramEmulator } from "./emulator.ts";
import { badRequest, BotRefusal } from "./errors.ts";
import { pngSize, typeOf, type FileType } from "./file-type.ts";
import type { FileKind } from "./options.ts";
import type { Params } from "./params.ts";
import { checkMarkup, deliver, readChatId, type SendOutcome } from "./send.ts";

type Loose = Readonly<Record<string, unknown>>;

const MB = 1024 * 1024;
const MAX_CAPTION = 1024;
const MAX_PHOTO = 10 * MB;
const MAX_UPLOAD = 50 * MB;
const PICTURES: readonly (FileType | null)[] = ["jpeg", "png", "webp", "gif"];
const STICKERS: readonly (FileType | null)[] = ["webp", "tgs", "webm"];

interface Way {
  readonly method: string;
  readonly kind: FileKind;
  readonly captioned: boolean;
}
const way = (method: string, kind: FileKind, captioned = true): [string, Way] => [
  method.toLowerCase(),
  { method, kind, captioned },
];

/** The methods that send a file, by their name in lower case; each has a parameter named after its kind. */
export const WAYS: ReadonlyMap<string, Way> = new Map([
  way("sendPhoto", "photo"),
  way("sendDocument", "document"),
  way("sendVideo", "video"),
  way("sendAnimation", "animation"),
  way("sendAudio", "audio"),
  way("sendVoice", "voice"),
  way("sendVideoNote", "video_note", false),
  way("sendSticker", "sticker", false),
]);

/** An upload, the id of a known file, or an address. */
export function sendFile(
  emulator: TelegramEmulator,
  bot: Bot,
  { method, kind, captioned }: Way,
  params: Params,
  outcome: SendOutcome,
): unknown {
  const chatId = readChatId(params);
  const caption = captioned ? params.text("caption") : null;
  checkMarkup(caption ?? "", params.text("parse_mode"));
  if (caption !== null && Array.from(caption).length > MAX_CAPTION)
    throw badRequest("message caption is too long");
  const file = fileOf(emulator, bot, kind, params);
  const { fileId, name, mimeType, bytes, sha256 } = file;
  const facts = { fileId, name, mimeType, size: bytes.length, sha256 };
  const sent = { method, text: caption, file: facts };
  const content = { ...fileContent(kind, file), ...(caption && { caption }) };
  return deliver(emulator, bot, chatId, sent, content, params, outcome);
}

function fileOf(emulator: TelegramEmulator, bot: Bot, kind: FileKind, params: Params): StoredFile {
  const given = params.text(kind);
  const uploaded = params.files.get(
    given?.startsWith("attach://") === true ? given.slice("attach://".length) : kind,
  );
  if (uploaded !== undefined) {
    const { bytes } = uploaded;
    if (bytes.length === 0) throw badRequest("file must be non-empty");
    if (emulator.options.local !== true && bytes.length > MAX_UPLOAD) throw new BotRefusal(413);
    checkFile(kind, bytes);
    return bot.addFile(uploaded, folderOf(kind));
  }
  if (given === null) throw badRequest(`there is no ${kind} in the request`);
  const known = bot.file(given);
  if (known !== undefined) return known;
  if (!/^https?:\/\//.test(given))
    throw badRequest("wrong remote file identifier specified: Wrong character in the string");
  if (!URL.canParse(given)) throw badRequest("wrong HTTP URL specified");
  const name = new URL(given).pathname.split("/").at(-1) ?? "";
  return bot.addFile({ name, type: "", bytes: Buffer.from(given) }, folderOf(kind));
}

/** Why the platform refuses the bytes themselves; among pictures only PNG are measured. */
function checkFile(kind: FileKind, bytes: Buffer): void {
  const type = typeOf(bytes);
  if (kind === "sticker" && !STICKERS.includes(type)) throw badRequest("wrong file type");
  if (kind !== "photo") return;
  if (bytes.length > MAX_PHOTO)
    throw badRequest(`file of size ${bytes.length} bytes is too big for a photo`);
  if (!PICTURES.includes(type)) throw badRequest("IMAGE_PROCESS_FAILED");
  const { width, height } = pngSize(bytes) ?? { width: 1, height: 1 };
  const ratio = Math.max(width, height) / Math.max(1, Math.min(width, height));
  if (width + height > 10_000 || ratio > 20) throw badRequest("PHOTO_INVALID_DIMENSIONS");
}

export const folderOf = (kind: FileKind): string =>
  ({
    photo: "photos",
    document: "documents",
    video: "videos",
    animation: "animations",
    audio: "music",
    voice: "voice",
    video_note: "video_notes",
    sticker: "stickers",
  })[kind];

/** A file in a message, in the platform's words. A file sent as a voice message that is not one shows as what it is. */
export function fileContent(kind: FileKind, file: StoredFile): Loose {
  const type = typeOf(file.bytes);
  const base = {
    file_id: file.fileId,
    file_unique_id: file.uniqueId,
    file_size: file.bytes.length,
  };
  const typed = { ...base, mime_type: file.mimeType };
  const named = { ...typed, file_name: file.name };
  const { width, height } = pngSize(file.bytes) ?? { width: 800, height: 600 };
  switch (kind) {
    case "photo": {
      const small = { file_id: `${file.fileId}-s`, file_unique_id: `${file.uniqueId}s` };
      const thumbnail = { ...small, file_size: 1101, width: 90, height: 67 };
      const whole = { ...base, width, height };
      // A picture that is no larger than its thumbnail has none.
      return { photo: width > 90 || height > 67 ? [thumbnail, whole] : [whole] };
    }
    case "document":
      return { document: named };
    case "video":
      return { video: { ...named, width, height, duration: 1 } };
    case "animation": {
      // A GIF becomes a film without sound.
      const mime_type = type === "gif" ? "video/mp4" : file.mimeType;
      const film = { ...named, mime_type };
      return { animation: { ...film, width, height, duration: 1 }, document: film };
    }
    case "audio":
      return { audio: { ...named, duration: 1 } };
    case "voice":
      if (type === "mp3" || type === "m4a") return { audio: { ...named, duration: 1 } };
      return type === "ogg" || type === null
        ? { voice: { ...typed, duration: 1 } }
        : { document: named };
    case "video_note":
      return { video_note: { ...base, length: 240, duration: 1 } };
    case "sticker":
      return {
        sticker: {
          ...base,
          type: "regular",
          width: 512,
          height: 512,
          is_animated: type === "tgs",
          is_video: type === "webm",
          emoji: "👍",
        },
      };
    default:
      return kind satisfies never;
  }
}
