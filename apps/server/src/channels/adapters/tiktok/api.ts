import type { Http, HttpRequest, HttpResponse } from "../../../lib/http.ts";
import type { ChannelAccount } from "../../adapter.ts";
import { idOrNull, record, textOrNull, type JsonRecord } from "../meta/json.ts";

const API_PATH = "/open_api/v1.3";
export const DEFAULT_TIKTOK_URL = `https://business-api.tiktok.com${API_PATH}`;

const PATH_AT_END = /\/open_api\/v\d+(\.\d+)?$/;
const LONGEST_DETAIL = 500;

/** A given base address with the API's path and without a slash at the end. Null: not an address. */
export function tiktokUrl(given: string): string | null {
  const url = URL.parse(given);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return null;
  const base = url.origin + url.pathname.replace(/\/+$/, "");
  return PATH_AT_END.test(base) ? base : base + API_PATH;
}

type Asked = { readonly query: Readonly<Record<string, string>> } | { readonly body: object };

/** One call below the base address: a GET with a query, or a POST with a JSON body (channels.md §6.1). */
export function callTikTok(
  http: Http,
  account: ChannelAccount,
  path: string,
  call: Asked,
  timeoutMs: number,
): Promise<HttpResponse> {
  const token = { "access-token": account.secrets["accessToken"] ?? "" };
  return request(http, `${account.apiUrl}${path}`, call, token, timeoutMs);
}

/** A call of the app, not of an account: with the app's id and secret, and without a token. */
export function callTikTokApp(
  http: Http,
  account: Pick<ChannelAccount, "apiUrl">,
  path: string,
  call: Asked,
  timeoutMs: number,
): Promise<HttpResponse> {
  return request(http, `${account.apiUrl}${path}`, call, {}, timeoutMs);
}

function request(
  http: Http,
  url: string,
  call: Asked,
  token: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<HttpResponse> {
  if ("query" in call) {
    const query = new URLSearchParams(call.query).toString();
    return http.request({ method: "GET", url: `${url}?${query}`, headers: token, timeoutMs });
  }
  const headers = { ...token, "content-type": "application/json" };
  return http.request({
    method: "POST",
    url,
    headers,
    body: JSON.stringify(call.body),
    timeoutMs,
  });
}

/** A POST of a form that holds a file. */
export function uploadToTikTok(
  http: Http,
  account: ChannelAccount,
  path: string,
  form: Required<Pick<HttpRequest, "body" | "headers">>,
  timeoutMs: number,
): Promise<HttpResponse> {
  const headers = { "access-token": account.secrets["accessToken"] ?? "", ...form.headers };
  const { body } = form;
  return http.request({
    method: "POST",
    url: `${account.apiUrl}${path}`,
    headers,
    body,
    timeoutMs,
  });
}

/** An answer of the API: it has a `code`, and only 0 is success, whatever the HTTP status. */
export interface TikTokAnswer {
  readonly code: string;
  readonly message: string;
  readonly data: JsonRecord;
}

/**
 * Null for HTML, an empty answer, half a document. `secrets` are removed from the words, in case they are repeated
 * there.
 */
export function readTikTokAnswer(
  response: HttpResponse,
  secrets: readonly (string | undefined)[],
): TikTokAnswer | null {
  let answer: JsonRecord;
  try {
    answer = record(JSON.parse(response.body.toString("utf8")));
  } catch {
    return null;
  }
  const code = idOrNull(answer["code"]);
  if (code === null) return null;
  let message = textOrNull(answer["message"]) ?? "no details were given";
  for (const secret of secrets) if (secret) message = message.replaceAll(secret, "[secret]");
  message = message.slice(0, LONGEST_DETAIL).toWellFormed();
  return { code, message, data: record(answer["data"]) };
}
