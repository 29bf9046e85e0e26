import type { StreamingHttp } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, InboundMedia, MediaSource } from "../../adapter.ts";
import { number, textOrNull } from "../meta/json.ts";
import { refusedBody, refuseFile, retriable } from "../media-refusal.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { callTikTok } from "./api.ts";
import { outcomeOfCall } from "./outcome.ts";

const ASK_MS = 10_000;
const FETCH_MS = 60_000;

interface FileKey {
  readonly conversationId: string;
  readonly messageId: string;
  readonly mediaId: string;
}

/** The three ids that name a file, stored as one: none of them contains a blank. */
export const fileKey = ({ conversationId, messageId, mediaId }: FileKey): string =>
  [conversationId, messageId, mediaId].join(" ");

function readKey(key: string): FileKey | null {
  const [conversationId, messageId, mediaId, ...more] = key.split(" ");
  if (!conversationId || !messageId || !mediaId || more.length > 0) return null;
  return { conversationId, messageId, mediaId };
}

/**
 * `/business/message/media/download/` gives an address for a day, which needs the token in `x-user` (channels.md
 * §6.2). A sticker has a public address of its own and gets no token.
 */
export const tiktokMedia: MediaSource = {
  async open(http, account, media) {
    const place = await locate(http, account, media);
    if ("ok" in place) return retriable(place);
    try {
      const { url, headers } = place;
      const stream = await http.stream({ method: "GET", url, headers, timeoutMs: FETCH_MS });
      if (stream.status !== 200) {
        await refusedBody(stream);
        return outcomeOfFile(stream.status);
      }
      const told = stream.headers["content-type"]?.split(";")[0]?.trim() ?? null;
      return {
        ok: true,
        body: stream.body,
        mimeType: told === "application/octet-stream" ? null : told,
        fileName: media.fileName,
        size: number(stream.headers["content-length"]),
      };
    } catch (error) {
      return retriable(outcomeOfNoAnswer(error));
    }
  },
};

/** The account was good a moment ago, so an answer of the file's host is about the file alone. */
function outcomeOfFile(status: number): FailedOutcome {
  if (status === 404 || status === 410)
    return refuseFile("FILE_GONE", "TikTok has the file no more");
  const code = `HTTP_${status}`;
  if (status < 500 && status !== 429)
    return refuseFile(code, "the file is not given out at the address that TikTok named");
  return { ok: false, reason: "unreachable", code, detail: "the file cannot be read just now" };
}

type Place = { readonly url: string; readonly headers: Record<string, string> };

async function locate(
  http: StreamingHttp,
  account: ChannelAccount,
  { source, kind }: InboundMedia,
): Promise<Place | FailedOutcome> {
  if ("url" in source) return { url: source.url, headers: {} };
  const key = readKey(source.id);
  if (key === null) return refuseFile("NO_FILE_ID", "the file has no id at TikTok");
  const body = {
    business_id: account.externalId,
    conversation_id: key.conversationId,
    message_id: key.messageId,
    media_id: key.mediaId,
    media_type: kind === "video" ? "VIDEO" : "IMAGE",
  };
  try {
    const path = "/business/message/media/download/";
    const response = await callTikTok(http, account, path, { body }, ASK_MS);
    const outcome = outcomeOfCall(response, account);
    if (!outcome.ok) return outcome;
    const url = textOrNull(outcome.answer.data["download_url"]);
    if (url === null || !safeForToken(url, account.apiUrl))
      return refuseFile("NO_FILE_ADDRESS", "TikTok gives no address that the token may be sent to");
    return { url, headers: { "x-user": account.secrets["accessToken"] ?? "" } };
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

/** The token is sent over https, or to the very server that we call anyway. */
function safeForToken(given: string, apiUrl: string): boolean {
  const url = URL.parse(given);
  return url !== null && (url.protocol === "https:" || url.origin === URL.parse(apiUrl)?.origin);
}
