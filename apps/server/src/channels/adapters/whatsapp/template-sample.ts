import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, TemplateSource } from "../../adapter.ts";
import { bareType } from "../meta/check-media.ts";
import { readGraphAnswer } from "../meta/graph-error.ts";
import { textOrNull, idOrNull, type JsonRecord } from "../meta/json.ts";
import { uploadTimeoutMs } from "../meta/upload.ts";
import { retriable } from "../media-refusal.ts";
import { outcomeOfNoAnswer, outcomeOfWhatsAppFailure } from "./outcome.ts";

/**
 * Gives Meta the example of a header by its resumable upload: which app the token belongs to, a session for the
 * file, the bytes in one piece. The handle `h` names the file in a submitted template.
 */
export const giveSample: TemplateSource["giveSample"] = async (http, account, media) => {
  const app = await ask(http, account, { method: "GET", path: "app?fields=id" });
  if (!app.ok) return app;
  const appId = idOrNull(app.body["id"]);
  if (appId === null) return broken("the platform did not name the app of the token");
  const file = new URLSearchParams({
    file_name: media.fileName,
    file_length: String(media.size),
    file_type: bareType(media.mimeType),
  });
  const path = `${encodeURIComponent(appId)}/uploads?${file.toString()}`;
  const session = await ask(http, account, { method: "POST", path });
  if (!session.ok) return session;
  const id = textOrNull(session.body["id"]);
  // Put into an address unchanged: Meta's own form contains a query.
  if (id === null || !/^upload:[\w:?=&%.-]+$/.test(id)) return broken("no upload was begun");
  const sent = await ask(http, account, {
    method: "POST",
    path: id,
    headers: { file_offset: "0", "content-length": String(media.size) },
    body: media.open(),
    timeoutMs: uploadTimeoutMs(media.size),
  });
  if (!sent.ok) return sent;
  const handle = textOrNull(sent.body["h"]);
  return handle === null ? broken("the upload got no handle") : { ok: true, handle };
};

interface Asked {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<Uint8Array>;
  readonly timeoutMs?: number;
}

async function ask(
  http: Http,
  account: ChannelAccount,
  { path, headers, ...request }: Asked,
): Promise<{ readonly ok: true; readonly body: JsonRecord } | FailedOutcome> {
  const token = account.secrets["accessToken"] ?? "";
  try {
    const response = await http.request({
      ...request,
      url: `${account.apiUrl}/${path}`,
      // The upload is documented with this scheme; the other calls accept it too.
      headers: { authorization: `OAuth ${token}`, ...headers },
    });
    if (response.status !== 200) return retriable(outcomeOfWhatsAppFailure(response, token));
    const body = readGraphAnswer(response);
    return body === null ? broken("the answer is not the Graph API's") : { ok: true, body };
  } catch (error) {
    return retriable(outcomeOfNoAnswer(error));
  }
}

const broken = (detail: string): FailedOutcome => ({
  ok: false,
  reason: "unreachable",
  code: "BROKEN_ANSWER",
  detail,
});
