import type { Http, HttpRequest, HttpResponse } from "../../../lib/http.ts";
import type { ChannelAccount } from "../../adapter.ts";
import type { JsonRecord } from "../meta/json.ts";

export const DEFAULT_BOT_API_URL = "https://api.telegram.org";

/**
 * `123456789:AA…`: the bot's id and its secret. Only these characters are allowed, because the token stands in an
 * address.
 */
export const BOT_TOKEN = /^\d{1,20}:[A-Za-z0-9_-]{1,256}$/;

/** A given base address (a self-hosted Bot API server, a proxy) without a slash at the end. Null: not an address. */
export function botApiUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return null;
  return url.origin + url.pathname.replace(/\/+$/, "");
}

export interface CallOptions {
  readonly timeoutMs: number;
  readonly maxResponseBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * One call of a method (channels.md §5.1). The token stands in the address: nothing above this function sees it,
 * and `HttpFailure` carries no addresses.
 */
export function callBot(
  http: Http,
  account: ChannelAccount,
  method: string,
  parameters: object,
  options: CallOptions,
): Promise<HttpResponse> {
  return http.request({
    method: "POST",
    url: methodUrl(account, method),
    headers: { "content-type": "application/json" },
    body: JSON.stringify(parameters),
    ...options,
  });
}

/** As `callBot`, with a form that holds a file. */
export function uploadToBot(
  http: Http,
  account: ChannelAccount,
  method: string,
  form: Required<Pick<HttpRequest, "body" | "headers">>,
  timeoutMs: number,
): Promise<HttpResponse> {
  const { body, headers } = form;
  return http.request({
    method: "POST",
    url: methodUrl(account, method),
    headers,
    body,
    timeoutMs,
  });
}

const methodUrl = (account: ChannelAccount, method: string): string =>
  `${account.apiUrl}/bot${account.secrets["botToken"] ?? ""}/${method}`;

/**
 * The answer's JSON object when it is the Bot API's (it has `ok`), else null: HTML, an empty answer, half a
 * document.
 */
export function readBotAnswer(response: HttpResponse): JsonRecord | null {
  try {
    const parsed: unknown = JSON.parse(response.body.toString("utf8"));
    return typeof parsed === "object" && parsed !== null && "ok" in parsed ? { ...parsed } : null;
  } catch {
    return null;
  }
}
