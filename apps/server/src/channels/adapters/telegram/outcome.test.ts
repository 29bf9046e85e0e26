import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiMethods } from "grammy/types";
import { HttpFailure, type Http, type HttpRequest, type HttpResponse } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, OutboundMessage, SendOutcome } from "../../adapter.ts";
import { telegram } from "./adapter.ts";
import { botApiUrl } from "./api.ts";

const TOKEN = "987654321:AAExample-token_1";
const account: ChannelAccount = {
  channelId: "c1",
  workspaceId: "w1",
  type: "TELEGRAM",
  externalId: "987654321",
  apiUrl: "https://api.telegram.org",
  settings: {},
  secrets: { botToken: TOKEN, secretToken: "s3cret" },
};

/** channels.md §5.2, the platform's answer. */
const ACCEPTED = {
  ok: true,
  result: {
    message_id: 133,
    from: { id: 987654321, is_bot: true, first_name: "Shop", username: "shop_bot" },
    chat: { id: 123456789, first_name: "Sara", type: "private" },
    date: 1751247548,
    text: "hello",
  },
};

const answer = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): HttpResponse => ({
  status,
  headers,
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
});
const refused = (code: number, description: string, parameters?: object): HttpResponse =>
  answer(code, { ok: false, error_code: code, description, ...(parameters && { parameters }) });

async function send(
  response: HttpResponse | HttpFailure,
  message: Partial<OutboundMessage> = {},
): Promise<{ outcome: SendOutcome; requests: HttpRequest[] }> {
  const requests: HttpRequest[] = [];
  const http: Http = {
    request(request) {
      requests.push(request);
      return response instanceof HttpFailure ? Promise.reject(response) : Promise.resolve(response);
    },
  };
  const outcome = await telegram.send(http, account, {
    id: "m1",
    to: "123456789",
    content: { kind: "text", text: "hello" },
    ...message,
  });
  assert.equal(JSON.stringify(outcome).includes("AAExample"), false);
  return { outcome, requests };
}

test("a text is one POST without markup and without a preview; 200 with a message is accepted", async () => {
  const { outcome, requests } = await send(answer(200, ACCEPTED));
  assert.deepEqual(outcome, { ok: true, externalId: "123456789:133" });
  assert.equal(requests.length, 1);
  const { method, url, headers, body } = requests[0] ?? {};
  assert.equal(`${method} ${url}`, `POST https://api.telegram.org/bot${TOKEN}/sendMessage`);
  assert.deepEqual(headers, { "content-type": "application/json" });
  assert.deepEqual(JSON.parse(typeof body === "string" ? body : ""), {
    chat_id: 123456789,
    text: "hello",
    link_preview_options: { is_disabled: true },
  } satisfies Parameters<ApiMethods["sendMessage"]>[0]);
});

/** channels.md §5.4, written again as a person would read it. */
const TABLE: readonly (readonly [
  code: number,
  description: string,
  reason: FailedOutcome["reason"],
  scope?: FailedOutcome["scope"],
])[] = [
  [403, "Forbidden: bot was blocked by the user", "opted_out", "recipient"],
  [403, "FORBIDDEN: BOT WAS BLOCKED BY THE USER", "opted_out", "recipient"],
  [403, "Forbidden: user is deactivated", "rejected", "recipient"],
  [403, "Forbidden: bot can't initiate conversation with a user", "rejected", "recipient"],
  [403, "Forbidden: bot was kicked from the group chat", "rejected", "recipient"],
  [403, "Forbidden: bot is not a member of the channel chat", "rejected", "recipient"],
  [403, "Forbidden: the group chat was deleted", "rejected", "recipient"],
  [403, "Forbidden: something new", "rejected", "recipient"],
  [400, "Bad Request: chat not found", "rejected", "recipient"],
  [400, "Bad Request: PEER_ID_INVALID", "rejected", "recipient"],
  [400, "Bad Request: group chat was upgraded to a supergroup chat", "rejected", "recipient"],
  [400, "Bad Request: message text is empty", "rejected", "recipient"],
  [400, "Bad Request: message is too long", "rejected", "recipient"],
  [400, "Bad Request: can't parse entities: Unsupported start tag", "rejected", "recipient"],
  [400, "Bad Request: message to be replied not found", "rejected", "recipient"],
  [413, "Request Entity Too Large", "rejected", "recipient"],
  [401, "Unauthorized", "misconfigured", "account"],
  [401, "Unauthorized: invalid token specified", "misconfigured", "account"],
  [404, "Not Found", "misconfigured", "account"],
  [403, "FROZEN_METHOD_INVALID", "misconfigured", "account"],
  [406, "FROZEN_METHOD_INVALID", "misconfigured", "account"],
  [409, "Conflict: terminated", "unreachable", "recipient"],
  [421, "Misdirected Request", "unreachable", "recipient"],
  // The call was running when the server stopped: nobody knows its result.
  [500, "Internal Server Error: restart", "unknown"],
  [502, "Bad Gateway", "unknown"],
];
for (const [code, description, reason, scope] of TABLE) {
  test(`${code} ${description} is ${reason}`, async () => {
    const { outcome } = await send(refused(code, description));
    assert.deepEqual(outcome, {
      ok: false,
      reason,
      code: String(code),
      detail: description,
      ...(scope && { scope }),
    });
  });
}

const WAITS: readonly (readonly [string, HttpResponse, number])[] = [
  ["retry_after 1", refused(429, "Too Many Requests: retry after 1", { retry_after: 1 }), 1_000],
  [
    "retry_after 10072",
    refused(429, "Too Many Requests: retry after 10072", { retry_after: 10072 }),
    10_072_000,
  ],
  ["a year", refused(429, "Too Many Requests", { retry_after: 31_536_000 }), 86_400_000],
  ["the header alone", answer(429, { ok: false, error_code: 429 }, { "retry-after": "7" }), 7_000],
  ["nothing", refused(429, "Too Many Requests"), 10_000],
  ["nonsense", refused(429, "Too Many Requests", { retry_after: -5 }), 10_000],
  ["a page of a proxy", answer(429, "<html>", { "retry-after": "3" }), 3_000],
  [
    "a date",
    answer(429, "<html>", {
      date: "Mon, 30 Nov 2026 10:00:00 GMT",
      "retry-after": "Mon, 30 Nov 2026 10:02:00 GMT",
    }),
    120_000,
  ],
];
for (const [name, response, ms] of WAITS) {
  test(`a throttle that names ${name} waits ${ms} ms, with the whole account`, async () => {
    const { outcome } = await send(response);
    assert.ok(!outcome.ok && outcome.reason === "throttled");
    assert.deepEqual([outcome.retryAfterMs, outcome.scope], [ms, "account"]);
  });
}

const ODD: readonly (readonly [
  string,
  HttpResponse | HttpFailure,
  FailedOutcome["reason"],
  string,
])[] = [
  ["200 with HTML", answer(200, "<html>ok</html>"), "unknown", "NO_MESSAGE_ID"],
  ["200 with nothing", answer(200, ""), "unknown", "NO_MESSAGE_ID"],
  ["200 with half a document", answer(200, '{"ok":true,"res'), "unknown", "NO_MESSAGE_ID"],
  ["200 without a message", answer(200, { ok: true, result: true }), "unknown", "NO_MESSAGE_ID"],
  [
    "200 that says no",
    answer(200, {
      ok: false,
      error_code: 403,
      description: "Forbidden: bot was blocked by the user",
    }),
    "opted_out",
    "403",
  ],
  ["502 of a proxy", answer(502, "<html>"), "unknown", "HTTP_502"],
  ["a redirect", answer(302, "", { location: "https://x" }), "unreachable", "HTTP_302"],
  ["401 of a proxy", answer(401, "no"), "unreachable", "HTTP_401"],
  ["404 of a proxy", answer(404, "no"), "unreachable", "HTTP_404"],
  [
    "no connection",
    new HttpFailure("connect", false, "ECONNREFUSED"),
    "unreachable",
    "NETWORK_CONNECT",
  ],
  [
    "a reset after the request left",
    new HttpFailure("reset", true, "x"),
    "unknown",
    "NETWORK_RESET",
  ],
  ["a time-out", new HttpFailure("timeout", true, "x"), "unknown", "NETWORK_TIMEOUT"],
];
for (const [name, response, reason, code] of ODD) {
  test(`${name} is ${reason}`, async () => {
    const { outcome, requests } = await send(response);
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.code, requests.length], [reason, code, 1]);
  });
}

test("the token is removed from the platform's own words", async () => {
  const { outcome } = await send(refused(400, `Bad Request: https://x/bot${TOKEN}/ is odd`));
  assert.ok(!outcome.ok);
  assert.equal(outcome.detail, "Bad Request: https://x/bot[token]/ is odd");
});

test("what cannot be sent is refused without a call: a template, no chat id, a text too long", async () => {
  const rows: readonly (readonly [Partial<OutboundMessage>, string])[] = [
    [
      {
        content: {
          kind: "template",
          template: { name: "a", language: "en", bodyParameters: [] },
        },
      },
      "TEMPLATE_UNSUPPORTED",
    ],
    [{ to: "-100123" }, "ADDRESS_INVALID"],
    [{ to: "@sara" }, "ADDRESS_INVALID"],
    [{ to: "" }, "ADDRESS_INVALID"],
    [{ content: { kind: "text", text: "x".repeat(4097) } }, "TEXT_TOO_LONG"],
  ];
  for (const [message, code] of rows) {
    const { outcome, requests } = await send(answer(200, ACCEPTED), message);
    assert.ok(!outcome.ok && outcome.reason === "rejected");
    assert.deepEqual([outcome.code, requests.length], [code, 0]);
  }
  const emoji = { content: { kind: "text", text: "😀".repeat(4096) } } as const;
  assert.ok((await send(answer(200, ACCEPTED), emoji)).outcome.ok);
});

test("a replaced base address loses its slash and takes neither credentials nor a query", () => {
  assert.equal(botApiUrl("http://127.0.0.1:8081/"), "http://127.0.0.1:8081");
  assert.equal(botApiUrl("https://proxy.example/telegram/"), "https://proxy.example/telegram");
  for (const bad of ["", "x", "ftp://x", "https://u:p@x", "https://x/?a=1"])
    assert.equal(botApiUrl(bad), null, bad);
});
