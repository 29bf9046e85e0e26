import type { Http } from "../../../lib/http.ts";
import type {
  ChannelAccount,
  MediaKind,
  MediaRule,
  OutboundMedia,
  OutboundMessage,
  SendOutcome,
} from "../../adapter.ts";
import { refuseFile } from "../media-refusal.ts";
import { uploadForm } from "../upload.ts";
import { uploadToBot } from "./api.ts";
import { quoteOf } from "./quote.ts";
import { outcomeOfTelegramSend } from "./outcome.ts";

const MB = 1024 * 1024;
/** Characters, as in a text; the platform counts them after reading markup, and we send none. */
const CAPTION_LENGTH = 1024;

/** A way to send a file: the method, and the field that holds it. */
type Way = readonly [method: string, field: string];
const PHOTO: Way = ["sendPhoto", "photo"];
const ANIMATION: Way = ["sendAnimation", "animation"];
const VIDEO: Way = ["sendVideo", "video"];
const AUDIO: Way = ["sendAudio", "audio"];
const VOICE: Way = ["sendVoice", "voice"];
const DOCUMENT: Way = ["sendDocument", "document"];

/**
 * How a type is sent so that it shows and plays in the chat; types without a player are sent as documents
 * (channels.md §5.2 and the words of each method: MPEG-4 videos, MP3 and M4A in the player, OGG with OPUS as
 * voice).
 */
const WAYS: Readonly<Record<Exclude<MediaKind, "sticker">, Readonly<Record<string, Way>>>> = {
  image: {
    "image/jpeg": PHOTO,
    "image/png": PHOTO,
    "image/gif": ANIMATION,
    "image/webp": DOCUMENT,
  },
  video: { "video/mp4": VIDEO, "video/quicktime": DOCUMENT, "video/webm": DOCUMENT },
  audio: {
    "audio/mpeg": AUDIO,
    "audio/mp4": AUDIO,
    "audio/x-m4a": AUDIO,
    "audio/ogg": VOICE,
    "audio/aac": DOCUMENT,
    "audio/amr": DOCUMENT,
    "audio/wav": DOCUMENT,
  },
  document: {},
};

const rule = (kind: keyof typeof WAYS, maxBytes: number): MediaRule => ({
  mimeTypes: Object.keys(WAYS[kind]),
  maxBytes,
  captionLength: CAPTION_LENGTH,
});

/**
 * What bots may upload: photos of 10 MB, everything else of 50 MB (channels.md §5.2). Any type can be sent as a
 * document.
 */
export const TELEGRAM_MEDIA = {
  image: rule("image", 10 * MB),
  video: rule("video", 50 * MB),
  audio: rule("audio", 50 * MB),
  document: { mimeTypes: ["*/*"], maxBytes: 50 * MB, captionLength: CAPTION_LENGTH },
} satisfies Partial<Record<MediaKind, MediaRule>>;

/**
 * The platform's answers for a file that this method cannot show: a picture whose sides add up to more than 10,000
 * or are 20 to 1 (a long screenshot), one that it cannot read, a voice message to somebody who accepts none.
 */
const NOT_THIS_WAY = /PHOTO_INVALID_DIMENSIONS|IMAGE_PROCESS_FAILED|VOICE_MESSAGES_FORBIDDEN/;

/**
 * One call with the file. When the platform answers that it does not take the file in this form, which proves that
 * nothing was sent, a second call sends it as a document. Refuses what the platform would refuse before a byte is
 * sent.
 */
export async function sendFile(
  http: Http,
  account: ChannelAccount,
  { to, quotes }: Pick<OutboundMessage, "to" | "quotes">,
  { media, caption }: { readonly media: OutboundMedia; readonly caption: string | null },
  timeoutMs: number,
): Promise<SendOutcome> {
  const { kind, size } = media;
  if (kind === "sticker") return refuseFile("MEDIA_UNSUPPORTED", "stickers are not sent");
  if (size > TELEGRAM_MEDIA[kind].maxBytes)
    return refuseFile(
      "FILE_TOO_BIG",
      `a ${kind} holds at most ${TELEGRAM_MEDIA[kind].maxBytes / MB} MB on Telegram`,
    );
  if (size === 0) return refuseFile("FILE_EMPTY", "the file is empty");
  if (caption !== null && Array.from(caption).length > CAPTION_LENGTH)
    return refuseFile("CAPTION_TOO_LONG", `a caption holds at most ${CAPTION_LENGTH} characters`);
  const fields = [
    ["chat_id", to],
    ...(caption ? [["caption", caption] as const] : []),
    ...(quotes === undefined
      ? []
      : [["reply_parameters", JSON.stringify(quoteOf(quotes))] as const]),
  ] as const;
  const call = async ([method, field]: Way): Promise<SendOutcome> => {
    const upload = uploadForm(fields, field, media);
    try {
      const response = await uploadToBot(http, account, method, upload, timeoutMs);
      return outcomeOfTelegramSend(response, account.secrets["botToken"] ?? "");
    } catch (error) {
      return upload.outcomeOf(error);
    }
  };
  const way = WAYS[kind][bareType(media.mimeType)] ?? DOCUMENT;
  const outcome = await call(way);
  const otherWay =
    !outcome.ok && outcome.reason === "rejected" && NOT_THIS_WAY.test(outcome.detail);
  return otherWay && way !== DOCUMENT ? call(DOCUMENT) : outcome;
}

const bareType = (mimeType: string): string => (mimeType.split(";")[0] ?? "").trim().toLowerCase();
