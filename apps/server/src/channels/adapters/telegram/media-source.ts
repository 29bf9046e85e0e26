import type { HttpStream, StreamingHttp } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, MediaSource } from "../../adapter.ts";
import { number, record, textOrNull } from "../meta/json.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { refusedBody, refuseFile, retriable } from "../media-refusal.ts";
import { callBot, DEFAULT_BOT_API_URL, readBotAnswer } from "./api.ts";
import { outcomeOfTelegramFailure } from "./outcome.ts";

/** The largest file that the public servers give out (channels.md §5.2). One's own server has no limit. */
const MAX_BYTES = 20 * 1024 * 1024;
const ASK_MS = 10_000;
const FETCH_MS = 60_000;

/**
 * `getFile`, then the file at `/file/bot<token>/<path>` (channels.md §5.2). That address contains the token, so it
 * is used only here and asked for anew each time.
 */
export const telegramMedia: MediaSource = {
  async open(http, account, media) {
    if (!("id" in media.source)) return refuseFile("NO_FILE_ID", "the file has no id at Telegram");
    if (account.apiUrl === DEFAULT_BOT_API_URL && (media.size ?? 0) > MAX_BYTES) return TOO_BIG;
    try {
      const place = await locate(http, account, media.source.id);
      if (!place.ok) return retriable(place);
      const stream = await fetchFile(http, account, place.path);
      if (stream.status !== 200) return await outcomeOfFile(stream, account);
      const { body, headers } = stream;
      const size = number(headers["content-length"]) ?? place.size;
      // Every file is served as application/octet-stream; the type in the message is better.
      return { ok: true, body, mimeType: media.mimeType, fileName: media.fileName, size };
    } catch (error) {
      return retriable(outcomeOfNoAnswer(error));
    }
  },
};

const TOO_BIG = refuseFile(
  "FILE_TOO_BIG",
  "Telegram gives files of at most 20 MB to bots; the customer can send a link, or the server be one's own Bot API server",
);

type Place = { readonly ok: true; readonly path: string; readonly size: number | null };

async function locate(
  http: StreamingHttp,
  account: ChannelAccount,
  fileId: string,
): Promise<Place | FailedOutcome> {
  const response = await callBot(
    http,
    account,
    "getFile",
    { file_id: fileId },
    { timeoutMs: ASK_MS },
  );
  const answer = readBotAnswer(response);
  if (response.status !== 200 || answer?.["ok"] !== true) {
    const failure = outcomeOfTelegramFailure(response, account.secrets["botToken"] ?? "", answer);
    return /file is too big/i.test(failure.detail) ? TOO_BIG : failure;
  }
  const result = record(answer["result"]);
  const path = textOrNull(result["file_path"]);
  if (path === null) return refuseFile("NO_FILE_PATH", "Telegram does not say where the file is");
  // A server of one's own with --local names a path on its own disk, which is not ours to read.
  if (/^([/\\]|[A-Za-z]:)/.test(path))
    return refuseFile(
      "LOCAL_FILE",
      "the Bot API server runs with --local and gives files by their path on its disk; run it without --local",
    );
  if (path.split(/[/\\]/).includes(".."))
    return refuseFile("BAD_FILE_PATH", "the path of the file leads elsewhere");
  return { ok: true, path, size: number(result["file_size"]) };
}

function fetchFile(
  http: StreamingHttp,
  account: ChannelAccount,
  path: string,
): Promise<HttpStream> {
  const token = account.secrets["botToken"] ?? "";
  const place = path.split("/").map(encodeURIComponent).join("/");
  return http.stream({
    method: "GET",
    url: `${account.apiUrl}/file/bot${token}/${place}`,
    timeoutMs: FETCH_MS,
  });
}

/** The token was good a moment ago, so "not found" is about the file: its path is valid for an hour. */
async function outcomeOfFile(stream: HttpStream, account: ChannelAccount): Promise<FailedOutcome> {
  const { status, headers } = stream;
  const body = await refusedBody(stream);
  if (status === 404) return refuseFile("FILE_GONE", "Telegram has the file no more");
  if (status >= 300 && status < 400)
    return refuseFile(`HTTP_${status}`, "the file's address is a redirect, which is not followed");
  return retriable(
    outcomeOfTelegramFailure({ status, headers, body }, account.secrets["botToken"] ?? ""),
  );
}
