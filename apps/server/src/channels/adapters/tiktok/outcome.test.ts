import assert from "node:assert/strict";
import { test } from "node:test";
import type { FailedOutcome } from "../../adapter.ts";
import { outcomeOfTikTokSend } from "./outcome.ts";

const account = {
  secrets: {
    accessToken: "act.secret-token",
    appSecret: "tt-secret-1",
    refreshToken: "rft.secret",
  },
};
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
});
const refusal = (code: number, message = "Words") => ({
  code,
  message,
  request_id: "20251121101530",
  data: {},
});

type Row = readonly [
  codes: readonly number[],
  reason: FailedOutcome["reason"],
  scope: FailedOutcome["scope"],
];

/** channels.md §6.5, written again by class, as a person would read it. */
const TABLE: readonly Row[] = [
  [[40001, 40102, 40103, 40104, 40105, 40107, 40110, 40130], "misconfigured", "account"],
  [[41000, 40003], "misconfigured", "account"],
  [[40100, 40132, 61000], "throttled", "account"],
  [[40007, 40000, 40002, 40050], "rejected", "recipient"],
  [[50000, 51010, 51065, 52000, 52999, 60001], "unreachable", "recipient"],
  [[50002, 51000], "unknown", "recipient"],
  // Undocumented: a wrong request is about this message, anything else proves nothing.
  [[40999, 42000], "rejected", "recipient"],
  [[1, 59999, 99999], "unknown", "recipient"],
];
/** Expired credentials: the channel's reason says so, whatever the platform's words. */
const ENDED = /^the (access|refresh) token .*(ended|not good).* \(Words\)$/;
for (const [codes, reason, scope] of TABLE) {
  for (const code of codes) {
    test(`code ${code} is ${reason} (${scope}), with HTTP 200 as with others`, () => {
      for (const status of [200, 400, 401, 403, 500]) {
        const outcome = outcomeOfTikTokSend(answer(status, refusal(code)), account);
        assert.ok(!outcome.ok);
        assert.deepEqual(
          [outcome.reason, outcome.scope, outcome.code],
          [reason, scope, String(code)],
        );
        assert.match(outcome.detail, [40102, 40103, 40107].includes(code) ? ENDED : /^Words$/);
      }
    });
  }
}

const OTHERS: readonly (readonly [
  name: string,
  response: ReturnType<typeof answer>,
  wanted: Partial<FailedOutcome>,
])[] = [
  [
    "a throttle without a hint waits a minute",
    answer(200, refusal(40100)),
    { reason: "throttled", retryAfterMs: 60_000, scope: "account" },
  ],
  [
    "Retry-After is kept to",
    answer(429, refusal(61000), { "retry-after": "7" }),
    { reason: "throttled", retryAfterMs: 7000 },
  ],
  [
    "a Retry-After that is a date is kept to",
    answer(429, "", {
      date: "Mon, 30 Nov 2026 10:00:00 GMT",
      "retry-after": "Mon, 30 Nov 2026 10:02:00 GMT",
    }),
    { reason: "throttled", retryAfterMs: 120_000 },
  ],
  [
    "a Retry-After of a year is a day",
    answer(429, "", { "retry-after": "31536000" }),
    { reason: "throttled", retryAfterMs: 86_400_000, code: "HTTP_429", scope: "account" },
  ],
  [
    "429 beside another code is a throttle of the account",
    answer(429, refusal(40002)),
    { reason: "throttled", code: "40002", scope: "account", retryAfterMs: 60_000 },
  ],
  [
    "the words of a rest mean one with their own code alone",
    answer(200, refusal(40999, "Sending too fast")),
    { reason: "rejected", code: "40999" },
  ],
  [
    "a wrong parameter that speaks of 48 hours alone is the window",
    answer(200, refusal(40000, "More than 48 hours")),
    { reason: "rejected", code: "131047" },
  ],
  [
    "a wrong parameter that speaks of the window alone is the window",
    answer(200, refusal(40000, "The Window is closed")),
    { reason: "rejected", code: "131047" },
  ],
  [
    "an unknown refusal that speaks of the window is the window",
    answer(200, refusal(40999, "The 48 hours have passed")),
    { reason: "rejected", code: "131047" },
  ],
  [
    "an unknown refusal that speaks of a limit is the window",
    answer(200, refusal(42001, "Message limit reached")),
    { reason: "rejected", code: "131047" },
  ],
  [
    "a wrong parameter that speaks of the window is the window",
    answer(200, refusal(40002, "The 48-hour messaging window is closed.")),
    { reason: "rejected", code: "131047" },
  ],
  [
    "a wrong parameter that speaks of another limit is not",
    answer(200, refusal(40002, "text.body exceeds the limit of 6000")),
    { reason: "rejected", code: "40002" },
  ],
  [
    "a throttle that speaks of a limit is a throttle",
    answer(200, refusal(40132, "frequency limit in a window of 48")),
    { reason: "throttled", code: "40132" },
  ],
  [
    "a conversation that is opened too fast waits alone",
    answer(200, refusal(40064, "You are sending messages too fast. Take a rest.")),
    { reason: "throttled", code: "40064", scope: "recipient", retryAfterMs: 60_000 },
  ],
  [
    "a message that the rules keep back is refused",
    answer(200, refusal(40064, "The message was blocked due to messaging restrictions.")),
    { reason: "rejected", code: "40064", scope: "recipient" },
  ],
  ["401 without a code", answer(401, "<html>"), { reason: "unreachable", code: "HTTP_401" }],
  ["a redirect", answer(302, ""), { reason: "unreachable", code: "HTTP_302" }],
  ["a proxy's 404", answer(404, "nope"), { reason: "unreachable", code: "HTTP_404" }],
  ["a proxy's 502", answer(502, "<html>"), { reason: "unknown", code: "HTTP_502" }],
  ["200 with HTML", answer(200, "<html>"), { reason: "unknown", code: "HTTP_200" }],
  ["200 with nothing", answer(200, ""), { reason: "unknown", code: "HTTP_200" }],
  ["half a document", answer(200, '{"code":0,"mess'), { reason: "unknown", code: "HTTP_200" }],
  ["a list", answer(200, "[0]"), { reason: "unknown", code: "HTTP_200" }],
  [
    "success without an id",
    answer(200, { code: 0, message: "OK", data: {} }),
    { reason: "unknown", code: "NO_MESSAGE_ID" },
  ],
  [
    "success with the empty id of an action",
    answer(200, { code: 0, data: { message: { message_id: "" } } }),
    { reason: "unknown", code: "NO_MESSAGE_ID" },
  ],
];
for (const [name, response, wanted] of OTHERS) {
  test(`${name}: ${wanted.reason}`, () => {
    const outcome = outcomeOfTikTokSend(response, account);
    assert.deepEqual({ ...outcome, ...wanted, ok: false }, outcome);
  });
}

test("secrets that the platform repeats are removed, and its words are bounded", () => {
  const words = `act.secret-token of tt-secret-1, rft.secret ${"x".repeat(1000)}`;
  const outcome = outcomeOfTikTokSend(answer(200, refusal(40105, words)), account);
  assert.ok(!outcome.ok);
  assert.doesNotMatch(outcome.detail, /secret-token|tt-secret|rft/);
  assert.equal(outcome.detail.length, 500);
});

test("success has the message's id as text, whatever its form", () => {
  const body = { code: 0, message: "OK", data: { message: { message_id: "7431" } } };
  assert.deepEqual(outcomeOfTikTokSend(answer(200, body), account), {
    ok: true,
    externalId: "7431",
  });
});
