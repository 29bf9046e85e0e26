import type { Http } from "../../../lib/http.ts";
import type {
  ChannelAccount,
  FailedOutcome,
  MediaKind,
  MediaRule,
  OutboundMedia,
} from "../../adapter.ts";
import { attachment } from "../meta/attachments.ts";
import { readGraphAnswer } from "../meta/graph-error.ts";
import { idOrNull } from "../meta/json.ts";
import { messagingCodes } from "../meta/messaging-codes.ts";
import { nodeOf } from "../meta/messaging-send.ts";
import { outcomeOfGraphFailure } from "../meta/outcome.ts";
import { retriable } from "../media-refusal.ts";
import { graphForm, uploadTimeoutMs } from "../meta/upload.ts";
import { OFFICE_TYPES } from "../document-types.ts";

/** 8 MB for an image, 25 MB for everything else (Messenger's "Saving assets" and "Attachment upload"). */
export const MESSENGER_MEDIA = {
  image: attachment(["image/jpeg", "image/png", "image/gif"], 8),
  audio: attachment(
    [
      "audio/aac",
      "audio/mp4",
      "audio/x-m4a",
      "audio/mpeg",
      "audio/ogg",
      "audio/wav",
      "audio/x-wav",
    ],
    25,
  ),
  video: attachment(
    ["video/mp4", "video/quicktime", "video/webm", "video/x-msvideo", "video/vnd.avi", "video/ogg"],
    25,
  ),
  document: attachment(
    ["application/pdf", "text/plain", "text/csv", "application/zip", ...OFFICE_TYPES],
    25,
  ),
} as const satisfies Partial<Record<MediaKind, MediaRule>>;

/**
 * `POST /{page}/message_attachments`: uploads the file and gets the id to send it by. Apart from the send, so that
 * a file that failed is proven not sent. `is_reusable`, because otherwise an id is good for one message, and a
 * refused send may be tried again.
 */
export async function uploadAttachment(
  http: Http,
  account: ChannelAccount,
  media: OutboundMedia,
  type: string,
): Promise<{ readonly ok: true; readonly id: string } | FailedOutcome> {
  const token = account.secrets["accessToken"] ?? "";
  const message = { attachment: { type, payload: { is_reusable: true } } };
  const form = graphForm([["message", JSON.stringify(message)]], "filedata", media);
  try {
    const response = await http.request({
      method: "POST",
      url: `${account.apiUrl}/${nodeOf(account)}/message_attachments`,
      headers: { authorization: `Bearer ${token}`, ...form.headers },
      body: form.body,
      timeoutMs: uploadTimeoutMs(media.size),
    });
    const id = idOrNull(readGraphAnswer(response)?.["attachment_id"]);
    if (response.status === 200 && id !== null) return { ok: true, id };
    return retriable(outcomeOfGraphFailure(response, token, messagingCodes));
  } catch (error) {
    return retriable(form.outcomeOf(error));
  }
}
