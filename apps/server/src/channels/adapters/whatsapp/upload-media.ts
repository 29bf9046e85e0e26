import type { Http } from "../../../lib/http.ts";
import { multipart } from "../../../lib/multipart.ts";
import type { ChannelAccount, FailedOutcome, OutboundMedia } from "../../adapter.ts";
import { bareType } from "../meta/check-media.ts";
import { readAnswer } from "../meta/graph-error.ts";
import { idText } from "../meta/json.ts";
import { outcomeOfUpload, uploadTimeoutMs } from "../meta/upload.ts";
import { outcomeOfFailure, outcomeOfNoAnswer } from "./outcome.ts";

/**
 * `POST /{phone_number_id}/media`: gives the file to the platform and gets the id to send it by, which lives 30 days.
 * Nothing has been sent whatever comes of it, so no failure is `unknown`.
 */
export async function uploadMedia(
  http: Http,
  account: ChannelAccount,
  media: OutboundMedia,
): Promise<{ readonly ok: true; readonly id: string } | FailedOutcome> {
  const token = account.secrets["accessToken"] ?? "";
  // The platform takes a bare type only: `audio/ogg; codecs=opus` is refused by name.
  const mimeType = bareType(media.mimeType);
  const form = multipart(
    [
      ["messaging_product", "whatsapp"],
      ["type", mimeType],
    ],
    {
      name: "file",
      fileName: media.fileName,
      mimeType,
      size: media.size,
      open: () => media.open(),
    },
  );
  try {
    const response = await http.request({
      method: "POST",
      url: `${account.apiUrl}/${encodeURIComponent(account.externalId)}/media`,
      headers: { authorization: `Bearer ${token}`, ...form.headers },
      body: form.body,
      timeoutMs: uploadTimeoutMs(media.size),
    });
    const id = idText(readAnswer(response)?.["id"]);
    if (response.status === 200 && id !== null) return { ok: true, id };
    return outcomeOfUpload(outcomeOfFailure(response, token));
  } catch (error) {
    return outcomeOfUpload(outcomeOfNoAnswer(error));
  }
}
