import { httpFor } from "../../lib/check-address.ts";
import { retryAfterOf } from "../../lib/retry-after.ts";
import type { OutboundSms, SmsAccount, SmsOutcome, SmsProvider } from "../provider.ts";
import {
  ask,
  overlong,
  readJsonObject,
  refusal,
  refusalOfPart,
  takenAs,
  unreadable,
} from "./exchange.ts";
import type { Meaning } from "./meaning.ts";

/** A gateway's answer: its HTTP status, whether that is a 2xx, and the members of its JSON. */
export interface GatewayAnswer {
  readonly http: number;
  readonly good: boolean;
  readonly members: Readonly<Record<string, unknown>>;
}

export interface GatewayRefusal {
  readonly meaning: Meaning;
  /** The gateway's own code; "" when it gave none: the HTTP status counts instead. */
  readonly code: string;
  readonly words: string;
  /** The wait that the gateway asks for by other means than Retry-After. */
  readonly waitMs?: number | undefined;
  /** How many parts of the text it accepted all the same, and words for it. */
  readonly parts?: { readonly taken: number; readonly words: string };
}

/** How to call, and how to read, a gateway with one call per message and JSON answers. */
export interface GatewayApi {
  /** Longer texts are refused before any call. */
  readonly most: Parameters<typeof overlong>[1];
  /** The body is sent as a form or as JSON. `path` comes after the account's `apiUrl`. */
  request(
    account: SmsAccount,
    sms: OutboundSms,
  ): {
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: URLSearchParams | object;
  };
  /** The gateway's id of the message it accepted, the reason why it did not, or null when the answer says neither. */
  read(answer: GatewayAnswer): { readonly id: string } | GatewayRefusal | null;
}

/** The `send` of a provider: one POST, and its answer as an outcome. */
export function sendOverHttp(api: GatewayApi): SmsProvider["send"] {
  return async (lines, account, sms): Promise<SmsOutcome> => {
    const refused = overlong(sms, api.most);
    if (refused) return refused;
    const { path, headers, body } = api.request(account, sms);
    const asked = await ask(httpFor(lines, account), postOf(account, path, body, headers));
    if ("outcome" in asked) return asked.outcome;
    const { response } = asked;
    const good = response.status >= 200 && response.status <= 299;
    const read = api.read({ http: response.status, good, members: readJsonObject(response.body) });
    if (read === null) return unreadable();
    if ("id" in read) return takenAs(read.id);
    const { meaning, words, waitMs, parts } = read;
    const code = read.code || `HTTP_${response.status}`;
    const wait = waitMs ?? retryAfterOf(response);
    const outcome = refusal({ account, sms }, meaning, code, words, wait);
    return parts ? refusalOfPart(outcome, parts.taken, parts.words) : outcome;
  };
}

/** A call to the account's gateway, with a form or JSON. */
export function postOf(
  { apiUrl }: Pick<SmsAccount, "apiUrl">,
  path: string,
  body: URLSearchParams | object,
  headers: Readonly<Record<string, string>> = {},
) {
  const isForm = body instanceof URLSearchParams;
  return {
    method: "POST",
    url: apiUrl + path,
    headers: {
      ...headers,
      "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
      accept: "application/json",
    },
    body: isForm ? body.toString() : JSON.stringify(body),
  } as const;
}
