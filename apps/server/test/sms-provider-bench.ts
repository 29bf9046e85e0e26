import type { Http, HttpRequest, HttpResponse } from "../src/lib/http.ts";
import type { SmppSessions } from "../src/lib/smpp/sessions.ts";
import type { SmsAccount, SmsLines } from "../src/sms/provider.ts";
import type { SmsProviderName } from "../src/wire/words.ts";

/** A gateway that answers as told and remembers what it was asked. */
export function gateway(status: number, body: unknown, headers: Record<string, string> = {}) {
  const requests: HttpRequest[] = [];
  const http: Http = {
    request(request) {
      requests.push(request);
      const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
      return Promise.resolve<HttpResponse>({ status, headers, body: bytes });
    },
  };
  return { lines: linesOver(http), requests };
}

export function linesOver(http: Http): SmsLines {
  return { providerHttp: http, guardedHttp: http, smpp: NO_LINKS };
}

/** For gateways over HTTP. */
const NO_LINKS: SmppSessions = {
  submit: () => Promise.resolve([{ kind: "not_sent", code: "CONNECT" }]),
  keep: () => {},
  close: () => Promise.resolve(),
};

export const TOKEN = "t".repeat(32);

export function smsAccount(
  provider: SmsProviderName,
  settings: Record<string, string>,
  secrets: Record<string, string>,
): SmsAccount {
  return {
    providerId: "p1",
    workspaceId: "w1",
    provider,
    apiUrl: "http://gateway.example",
    settings,
    secrets: { ...secrets, callbackToken: TOKEN },
    statusUrl: "https://hub.example/hooks/sms/p1",
  };
}

export const sms = {
  id: "m-1",
  to: "96550000001",
  text: "Your code is 482913",
  lang: "E",
} as const;

/** A platform's call as the hook gives it on. */
export const raw = (
  body: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
) => ({ body: Buffer.from(body), headers, query });
