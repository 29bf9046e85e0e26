import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, OutboundMedia } from "../../adapter.ts";
import { bareType } from "../meta/check-media.ts";
import { readGraphAnswer } from "../meta/graph-error.ts";
import { idOrNull } from "../meta/json.ts";
import { retriable } from "../media-refusal.ts";
import { graphForm, uploadTimeoutMs } from "../meta/upload.ts";
import { outcomeOfWhatsAppFailure } from "./outcome.ts";

/**
 * `POST /{phone_number_id}/media`: uploads the file and gets the id to send it by, which lives 30 days. It sends
 * nothing, so no failure is `unknown`.
 */
export async function uploadToWhatsApp(
  http: Http,
  account: ChannelAccount,
  media: OutboundMedia,
): Promise<{ readonly ok: true; readonly id: string } | FailedOutcome> {
  const token = account.secrets["accessToken"] ?? "";
  const form = graphForm(
    [
      ["messaging_product", "whatsapp"],
      ["type", bareType(media.mimeType)],
    ],
    "file",
    media,
  );
  try {
    const response = await http.request({
      method: "POST",
      url: `${account.apiUrl}/${encodeURIComponent(account.externalId)}/media`,
      headers: { authorization: `Bearer ${token}`, ...form.headers },
      body: form.body,
      timeoutMs: uploadTimeoutMs(media.size),
    });
    const id = idOrNull(readGraphAnswer(response)?.["id"]);
    if (response.status === 200 && id !== null) return { ok: true, id };
    return retriable(outcomeOfWhatsAppFailure(response, token));
  } catch (error) {
    return retriable(form.outcomeOf(error));
  }
}
