import type { HttpStream, StreamingHttp } from "../../../lib/http.ts";
import type { FailedOutcome, MediaSource } from "../../adapter.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { refuseFile, retriable } from "../media-refusal.ts";
import { DOWNLOAD_AGENT, DOWNLOAD_MS, endOf, openedStream } from "./download.ts";

const MOST_REDIRECTS = 3;

/**
 * A customer's file on Messenger or Instagram: the address in the payload, signed and short-lived, read without
 * any token. So redirects may be followed; `http` checks each address like the first.
 */
export const messagingMedia: MediaSource = {
  async open(http, _account, media) {
    if (!("url" in media.source)) return refuseFile("MEDIA_WITHOUT_URL", "there is no address");
    try {
      let { url } = media.source;
      for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
        const stream = await get(http, url);
        if (stream === null) return refuseFile("MEDIA_URL_INVALID", "that is no address of a file");
        if (stream.status === 200)
          return { ...openedStream(stream), fileName: media.fileName ?? nameIn(url) };
        const next = nextOf(stream, url);
        await endOf(stream);
        if (next === null) return outcomeOf(stream.status);
        url = next;
      }
      return refuseFile("MEDIA_REDIRECTS", "the file's address leads round in circles");
    } catch (error) {
      return retriable(outcomeOfNoAnswer(error));
    }
  },
};

function get(http: StreamingHttp, url: string): Promise<HttpStream> | null {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return null;
  const headers = { "user-agent": DOWNLOAD_AGENT };
  return http.stream({ method: "GET", url, headers, timeoutMs: DOWNLOAD_MS });
}

function nextOf({ status, headers }: HttpStream, from: string): string | null {
  const location = headers["location"];
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null;
  return URL.parse(location, from)?.href ?? null;
}

/** The address says by 403 and 404 that it has ended. */
function outcomeOf(status: number): FailedOutcome {
  const code = `HTTP_${status}`;
  if ([403, 404, 410].includes(status))
    return refuseFile("MEDIA_GONE", "the file's address has ended");
  if (status === 408 || status === 429 || status >= 500 || status < 300)
    return { ok: false, reason: "unreachable", code, detail: "the file server gave no file" };
  return refuseFile(code, "the file server refused");
}

/** The last step of the path, if it looks like a file's name. */
function nameIn(url: string): string | null {
  const last = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  try {
    const name = decodeURIComponent(last);
    return /^[^/\\\0]{1,200}\.[A-Za-z0-9]{1,8}$/.test(name) ? name : null;
  } catch {
    return null;
  }
}
