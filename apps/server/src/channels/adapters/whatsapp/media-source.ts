import type { HttpResponse, StreamingHttp } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, MediaSource } from "../../adapter.ts";
import { refuseFile, retriable } from "../media-refusal.ts";
import { DOWNLOAD_AGENT, DOWNLOAD_MS, openedStream, outcomeOfDownload } from "../meta/download.ts";
import { readGraphAnswer, readGraphError } from "../meta/graph-error.ts";
import { number, textOrNull } from "../meta/json.ts";
import { outcomeOfWhatsAppFailure, outcomeOfNoAnswer } from "./outcome.ts";

/**
 * Where Meta stores what customers send (channels.md §2.3). Beside the account's own address only these hosts get
 * its token.
 */
const MEDIA_HOST = /^(lookaside\.fbsbx\.com|[a-z0-9-]+(\.[a-z0-9-]+)*\.whatsapp\.net)$/;

/**
 * A customer's file: `GET /{media-id}` gives its address, which is valid for five minutes and therefore asked for
 * at every try; then the address itself with the same token. No redirect is followed: it would carry the token
 * elsewhere.
 */
export const whatsappMedia: MediaSource = {
  async open(http, account, media) {
    if (!("id" in media.source)) return refuseFile("MEDIA_WITHOUT_ID", "WhatsApp files have an id");
    const token = account.secrets["accessToken"] ?? "";
    try {
      const found = await lookUp(http, account, media.source.id, token);
      if (!found.ok) return found;
      if (!mayHaveToken(found.url, account.apiUrl))
        return refuseFile("MEDIA_HOST_UNKNOWN", "the file is not at one of the platform's hosts");
      const stream = await http.stream({
        method: "GET",
        url: found.url,
        headers: { authorization: `Bearer ${token}`, "user-agent": DOWNLOAD_AGENT },
        timeoutMs: DOWNLOAD_MS,
      });
      if (stream.status !== 200) return await outcomeOfDownload(stream);
      return {
        ...openedStream(stream),
        // What the platform says of the file, not what its file server calls the bytes.
        mimeType: found.mimeType ?? media.mimeType,
        fileName: media.fileName,
        size: found.size,
      };
    } catch (error) {
      return retriable(outcomeOfNoAnswer(error));
    }
  },
};

interface Found {
  readonly ok: true;
  readonly url: string;
  readonly mimeType: string | null;
  readonly size: number | null;
}

async function lookUp(
  http: StreamingHttp,
  account: ChannelAccount,
  id: string,
  token: string,
): Promise<Found | FailedOutcome> {
  const query = new URLSearchParams({ phone_number_id: account.externalId });
  const response = await http.request({
    method: "GET",
    url: `${account.apiUrl}/${encodeURIComponent(id)}?${query.toString()}`,
    headers: { authorization: `Bearer ${token}` },
  });
  const answer = readGraphAnswer(response);
  const url = textOrNull(answer?.["url"]);
  if (response.status !== 200) return outcomeOfLookUp(response, token);
  if (url === null || !URL.canParse(url)) {
    const detail = "the platform gave no address of the file";
    return { ok: false, reason: "unreachable", code: "NO_MEDIA_URL", detail };
  }
  const mimeType = textOrNull(answer?.["mime_type"]);
  return { ok: true, url, mimeType, size: number(answer?.["file_size"]) };
}

/**
 * 100/33 is also said of a file: it is gone after its days, or belongs to another number. That is no trouble of
 * the account.
 */
function outcomeOfLookUp(response: HttpResponse, token: string): FailedOutcome {
  const error = readGraphError(readGraphAnswer(response), token);
  if (error?.code === "100") return refuseFile("MEDIA_GONE", error.detail);
  return retriable(outcomeOfWhatsAppFailure(response, token));
}

function mayHaveToken(address: string, apiUrl: string): boolean {
  const url = new URL(address);
  if (url.username !== "" || url.password !== "") return false;
  if (url.origin === URL.parse(apiUrl)?.origin) return true;
  return url.protocol === "https:" && url.port === "" && MEDIA_HOST.test(url.hostname);
}
