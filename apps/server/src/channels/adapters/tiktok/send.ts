import type { Http } from "../../../lib/http.ts";
import type {
  ChannelAccount,
  FailedOutcome,
  MediaKind,
  MediaRule,
  OutboundMedia,
  OutboundMessage,
  SendOutcome,
} from "../../adapter.ts";
import { numberedText } from "../../adapter.ts";
import { idOrNull } from "../meta/json.ts";
import { refuseFile, retriable } from "../media-refusal.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { uploadForm } from "../upload.ts";
import { callTikTok, uploadToTikTok } from "./api.ts";
import { outcomeOfCall, outcomeOfTikTokSend } from "./outcome.ts";

/** `text.body` (channels.md §6.2): more than the API accepts, so a text is never split. */
const MAX_TEXT_LENGTH = 6000;

/** Only pictures, of 3 MB, and no text with them (channels.md §6.2). */
export const TIKTOK_MEDIA = {
  image: { mimeTypes: ["image/jpeg", "image/png"], maxBytes: 3 * 1024 * 1024, captionLength: 0 },
} satisfies Partial<Record<MediaKind, MediaRule>>;

// Together shorter than the caller's lease.
const UPLOAD_MS = 12_000;
const SEND_MS = 12_000;
const TIMEOUT_MS = 20_000;

/**
 * `POST /business/message/send/` (channels.md §6.2). One call, never a second one. `to` is the conversation:
 * TikTok accepts no message to a customer's own id, and has no templates. A picture is uploaded first; until the
 * send itself nothing was sent to the customer.
 */
export async function sendTikTok(
  http: Http,
  account: ChannelAccount,
  message: OutboundMessage,
): Promise<SendOutcome> {
  const { to, content } = message;
  if (content.kind === "template")
    return refuse("TEMPLATE_UNSUPPORTED", "TikTok has no templates", "template");
  if (content.kind === "media") return sendPicture(http, account, to, content);
  // There are no buttons (channels.md §6.2): the caller numbers choices before it cuts a text.
  const text =
    content.kind === "choices" ? numberedText(content.text, content.choices) : content.text;
  if (text.length > MAX_TEXT_LENGTH && Array.from(text).length > MAX_TEXT_LENGTH)
    return refuse(
      "TEXT_TOO_LONG",
      `a text holds at most ${MAX_TEXT_LENGTH} characters`,
      "recipient",
    );
  const { quotes } = message;
  const quote = { referenced_message_info: { referenced_message_id: quotes } };
  const body = { message_type: "TEXT", text: { body: text }, ...(quotes !== undefined && quote) };
  return post(http, account, to, body, TIMEOUT_MS);
}

async function sendPicture(
  http: Http,
  account: ChannelAccount,
  to: string,
  { media, caption }: { readonly media: OutboundMedia; readonly caption: string | null },
): Promise<SendOutcome> {
  const { mimeTypes, maxBytes } = TIKTOK_MEDIA.image;
  if (media.kind !== "image" || !mimeTypes.includes(media.mimeType))
    return refuseFile("MEDIA_UNSUPPORTED", "TikTok takes JPEG and PNG pictures alone");
  if (media.size > maxBytes)
    return refuseFile("FILE_TOO_BIG", "a picture holds at most 3 MB on TikTok");
  if (caption !== null && caption !== "")
    return refuseFile("CAPTION_UNSUPPORTED", "a picture takes no text with it on TikTok");
  const uploaded = await upload(http, account, media);
  if (!uploaded.ok) return uploaded;
  const image = { media_id: uploaded.mediaId };
  return post(http, account, to, { message_type: "IMAGE", image }, SEND_MS);
}

/** The upload sends nothing, so after a lost answer it is simply repeated. */
async function upload(
  http: Http,
  account: ChannelAccount,
  media: OutboundMedia,
): Promise<{ readonly ok: true; readonly mediaId: string } | FailedOutcome> {
  const fields = [
    ["business_id", account.externalId],
    ["media_type", "IMAGE"],
  ] as const;
  const form = uploadForm(fields, "file", media);
  try {
    const path = "/business/message/media/upload/";
    const outcome = outcomeOfCall(
      await uploadToTikTok(http, account, path, form, UPLOAD_MS),
      account,
    );
    if (!outcome.ok) return retriable(outcome);
    const mediaId = idOrNull(outcome.answer.data["media_id"]);
    if (mediaId !== null) return { ok: true, mediaId };
    const detail = "the platform answered an upload without a media id";
    return { ok: false, reason: "unreachable", code: "NO_MEDIA_ID", detail };
  } catch (error) {
    return retriable(form.outcomeOf(error));
  }
}

async function post(
  http: Http,
  account: ChannelAccount,
  to: string,
  content: object,
  timeoutMs: number,
): Promise<SendOutcome> {
  const body = {
    business_id: account.externalId,
    recipient_type: "CONVERSATION",
    recipient: to,
    ...content,
  };
  try {
    const path = "/business/message/send/";
    return outcomeOfTikTokSend(await callTikTok(http, account, path, { body }, timeoutMs), account);
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

const refuse = (code: string, detail: string, scope: "recipient" | "template"): FailedOutcome => ({
  ok: false,
  reason: "rejected",
  code,
  detail,
  scope,
});
