import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpFailure, type HttpFailureKind } from "../../../lib/http.ts";
import type { FailedOutcome } from "../../adapter.ts";
import { outcomeOfNoAnswer, outcomeOfWhatsAppSend } from "./outcome.ts";

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
});
const graphError = (code: number, more: object = {}) => ({
  error: { message: `(#${code}) Words`, type: "OAuthException", code, fbtrace_id: "A", ...more },
});

type Row = readonly [
  codes: readonly number[],
  reason: FailedOutcome["reason"],
  scope: FailedOutcome["scope"],
];

/** channels.md §2.12, written again by class, as a person would read it. */
const TABLE: readonly Row[] = [
  [[0, 3, 10, 104, 190, 200, 205, 299, 131005], "misconfigured", "account"],
  [[33, 368, 131031, 131037, 131045, 131063, 133010], "misconfigured", "account"],
  [[130497, 131042, 131044, 131048, 131064], "rejected", "account"],
  [[4, 17, 613, 80007, 130429, 133016], "throttled", "account"],
  [[131056], "throttled", "recipient"],
  [[131049, 130472], "rejected", "recipient"],
  [[131047, 470], "rejected", "recipient"],
  [[131026, 131021, 131030, 131062], "rejected", "recipient"],
  [[131050], "opted_out", "recipient"],
  [
    [100, 131001, 131002, 131006, 131008, 131009, 131051, 131052, 131053, 135000],
    "rejected",
    "recipient",
  ],
  [
    [132000, 132001, 132007, 132008, 132012, 132015, 132016, 132068, 132069, 2388023],
    "rejected",
    "template",
  ],
  [[132005, 132018], "rejected", "recipient"],
  [[1, 2, 131000, 131016, 131057, 133004], "unreachable", "recipient"],
  [[131043, 137000, 506], "rejected", "recipient"],
];
for (const [codes, reason, scope] of TABLE) {
  for (const code of codes) {
    test(`code ${code} is ${reason} (${scope}) whatever the HTTP status`, () => {
      for (const status of [400, 401, 403, 404, 429, 500, 503]) {
        const outcome = outcomeOfWhatsAppSend(answer(status, graphError(code)), "T");
        assert.ok(!outcome.ok);
        assert.deepEqual([outcome.reason, outcome.scope], [reason, scope]);
        assert.equal(outcome.code, code === 470 ? "131047" : String(code));
      }
    });
  }
}

const BY_STATUS: readonly (readonly [
  name: string,
  response: ReturnType<typeof answer>,
  wanted: Partial<FailedOutcome>,
])[] = [
  [
    "100 with subcode 33 is a wrong number id",
    answer(400, graphError(100, { error_subcode: 33 })),
    { reason: "misconfigured", scope: "account" },
  ],
  [
    "an unknown code that says it is transient was not sent",
    answer(500, graphError(999, { is_transient: true })),
    { reason: "unreachable", code: "999" },
  ],
  [
    "an unknown code with 500 proves nothing",
    answer(500, graphError(999)),
    { reason: "unknown", code: "999" },
  ],
  [
    "an unknown code with 400 is a refusal",
    answer(400, graphError(999)),
    { reason: "rejected", code: "999" },
  ],
  [
    "an unknown code with 401 is the token",
    answer(401, graphError(999)),
    { reason: "misconfigured", scope: "account", code: "999" },
  ],
  [
    "an unknown code with 429 is a throttle",
    answer(429, graphError(999)),
    { reason: "throttled", scope: "account", code: "999", retryAfterMs: 10_000 },
  ],
  [
    "429 without a body is a throttle",
    answer(429, ""),
    { reason: "throttled", scope: "account", code: "HTTP_429", retryAfterMs: 10_000 },
  ],
  [
    "subcode 33 of another code says nothing of the number",
    answer(400, graphError(131026, { error_subcode: 33 })),
    { reason: "rejected", scope: "recipient" },
  ],
  [
    "401 without a body is not the platform's word",
    answer(401, ""),
    { reason: "unreachable", code: "HTTP_401" },
  ],
  [
    "404 with HTML is a proxy's",
    answer(404, "<html>"),
    { reason: "unreachable", code: "HTTP_404" },
  ],
  [
    "502 with HTML proves nothing",
    answer(502, "<html>bad gateway</html>"),
    { reason: "unknown", code: "HTTP_502" },
  ],
  ["503 with nothing proves nothing", answer(503, ""), { reason: "unknown", code: "HTTP_503" }],
  [
    "500 with half a document proves nothing",
    answer(500, '{"error":{"code":1310'),
    { reason: "unknown", code: "HTTP_500" },
  ],
  [
    "a redirect reached nobody",
    answer(302, "", { location: "https://elsewhere.example" }),
    { reason: "unreachable", code: "HTTP_302" },
  ],
  ["300 reached nobody", answer(300, ""), { reason: "unreachable", code: "HTTP_300" }],
  ["308 reached nobody", answer(308, ""), { reason: "unreachable", code: "HTTP_308" }],
  ["303 may have done its work", answer(303, ""), { reason: "unknown", code: "HTTP_303" }],
  [
    "200 with HTML proves nothing",
    answer(200, "<html>login</html>"),
    { reason: "unknown", code: "NO_MESSAGE_ID" },
  ],
  [
    "200 with nothing proves nothing",
    answer(200, ""),
    { reason: "unknown", code: "NO_MESSAGE_ID" },
  ],
  [
    "200 with half a document proves nothing",
    answer(200, '{"messages":[{"id":"wam'),
    { reason: "unknown", code: "NO_MESSAGE_ID" },
  ],
  [
    "200 with a huge body proves nothing",
    answer(200, `{"a":"${"x".repeat(262_144 - 6)}`),
    { reason: "unknown", code: "NO_MESSAGE_ID" },
  ],
  [
    "200 with an empty list proves nothing",
    answer(200, { messages: [] }),
    { reason: "unknown", code: "NO_MESSAGE_ID" },
  ],
  [
    "200 with an error is read as the error",
    answer(200, graphError(131026)),
    { reason: "rejected", code: "131026" },
  ],
  ["200 with an array proves nothing", answer(200, [1]), { reason: "unknown" }],
];
for (const code of [131200, 2001, 13299, 23880001, 12388023]) {
  test(`code ${code}, which only looks like one of a class, is a refusal of this message`, () => {
    const outcome = outcomeOfWhatsAppSend(answer(400, graphError(code)), "T");
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.scope ?? "recipient"], ["rejected", "recipient"]);
  });
}
for (const [name, response, wanted] of BY_STATUS) {
  test(name, () => {
    const outcome = outcomeOfWhatsAppSend(response, "T");
    assert.ok(!outcome.ok);
    for (const [key, value] of Object.entries(wanted))
      assert.equal(outcome[key as keyof FailedOutcome], value, key);
  });
}

test("an accepted message has the platform's id and the customer's id as the platform writes it", () => {
  const body = {
    messaging_product: "whatsapp",
    contacts: [{ input: "+55 11 99999-0001", wa_id: "551199990001", user_id: "BR.1349" }],
    messages: [{ id: "wamid.HBgL", message_status: "accepted" }],
  };
  assert.deepEqual(outcomeOfWhatsAppSend(answer(200, body), "T"), {
    ok: true,
    externalId: "wamid.HBgL",
    recipientId: "551199990001",
    alternateId: "BR.1349",
  });
});

test("an accepted message to only a user id gives the user id", () => {
  const body = { contacts: [{ input: "KW.13", user_id: "KW.13" }], messages: [{ id: "wamid.1" }] };
  assert.deepEqual(outcomeOfWhatsAppSend(answer(200, body), "T"), {
    ok: true,
    externalId: "wamid.1",
    recipientId: "KW.13",
  });
});

const usage = (minutes: number) => ({
  "x-business-use-case-usage": JSON.stringify({
    "102290129340398": [
      { type: "whatsapp", call_count: 100, estimated_time_to_regain_access: minutes },
    ],
  }),
});
const waitOf = (response: ReturnType<typeof answer>): number | undefined => {
  const outcome = outcomeOfWhatsAppSend(response, "T");
  return outcome.ok ? undefined : outcome.retryAfterMs;
};

test("a user id beside the number is told as well; the same one twice counts once", () => {
  const send = (contact: object) =>
    outcomeOfWhatsAppSend(answer(200, { contacts: [contact], messages: [{ id: "wamid.1" }] }), "T");
  const sent = { ok: true, externalId: "wamid.1" };
  assert.deepEqual(send({ input: "+965 5", wa_id: "96550001001", user_id: "KW.13" }), {
    ...sent,
    recipientId: "96550001001",
    alternateId: "KW.13",
  });
  assert.deepEqual(send({ input: "KW.13", wa_id: "KW.13", user_id: "KW.13" }), {
    ...sent,
    recipientId: "KW.13",
  });
});

test("the wait of a throttle comes from the usage header, in minutes", () => {
  assert.equal(waitOf(answer(429, graphError(80007), usage(7))), 420_000);
  assert.equal(waitOf(answer(400, graphError(130429), usage(0))), 1000);
  assert.equal(
    waitOf(answer(429, graphError(4), { "x-business-use-case-usage": "{oops" })),
    60_000,
  );
  assert.equal(waitOf(answer(429, "", { "retry-after": "3" })), 3000);
  const untilTwoPast = {
    date: "Mon, 30 Nov 2026 10:00:00 GMT",
    "retry-after": "Mon, 30 Nov 2026 10:02:00 GMT",
  };
  assert.equal(waitOf(answer(429, "", untilTwoPast)), 120_000);
});

test("of several waits the longest counts, a day at most; without one, ours applies", () => {
  const usages = (...minutes: unknown[]) => ({
    "x-business-use-case-usage": JSON.stringify({
      "1": minutes.map((one) => ({ estimated_time_to_regain_access: one })),
    }),
  });
  assert.equal(waitOf(answer(429, graphError(80007), usages(2, 9, 0))), 540_000);
  assert.equal(waitOf(answer(429, graphError(80007), usages(60 * 24 * 30))), 86_400_000);
  for (const minutes of [-1, "soon", null])
    assert.equal(waitOf(answer(429, graphError(80007), usages(minutes))), 60_000);
  for (const seconds of ["0", "-5", "Wed, 21 Oct 2026 07:28:00 GMT", ""])
    assert.equal(waitOf(answer(429, "", { "retry-after": seconds })), 10_000);
  for (const code of [4, 17, 613, 133016])
    assert.equal(waitOf(answer(400, graphError(code))), 60_000);
});

test("one recipient waits six seconds, whatever the account's headers say", () => {
  assert.equal(waitOf(answer(400, graphError(131056), usage(7))), 6000);
});

test("the words come from the details, and a token in them is removed", () => {
  const more = {
    message: "Malformed access token EAAB-secret",
    error_data: { details: "The access token EAAB-secret is not right" },
  };
  const outcome = outcomeOfWhatsAppSend(answer(401, graphError(190, more)), "EAAB-secret");
  assert.ok(!outcome.ok);
  assert.equal(outcome.detail, "The access token [token] is not right");
});

test("without details the words are the message, else the title, and their length is limited", () => {
  const wordsOf = (error: object) => {
    const outcome = outcomeOfWhatsAppSend(answer(400, { error: { code: 100, ...error } }), "");
    assert.ok(!outcome.ok);
    return outcome.detail;
  };
  assert.equal(wordsOf({ message: "The message.", title: "Title" }), "The message.");
  assert.equal(wordsOf({ title: "Title" }), "Title");
  assert.notEqual(wordsOf({}), "");
  const cut = wordsOf({ message: "x".repeat(499) + "\u{1F600}" });
  assert.equal(cut.length, 500);
  assert.ok(cut.isWellFormed());
});

const KINDS: readonly (readonly [HttpFailureKind, sent: boolean, reason: string])[] = [
  ["dns", false, "unreachable"],
  ["connect", false, "unreachable"],
  ["tls", false, "unreachable"],
  ["timeout", false, "unreachable"],
  ["timeout", true, "unknown"],
  ["reset", true, "unknown"],
  ["aborted", true, "unknown"],
];
for (const [kind, sent, reason] of KINDS) {
  test(`no answer (${kind}, ${sent ? "sent" : "not sent"}) is ${reason}`, () => {
    const outcome = outcomeOfNoAnswer(new HttpFailure(kind, sent, "x"));
    assert.equal(outcome.reason, reason);
    assert.equal(outcome.code, `NETWORK_${kind.toUpperCase()}`);
  });
}

test("a call that our own client could not make is not blamed on the network", () => {
  assert.deepEqual(outcomeOfNoAnswer(new HttpFailure("client", false, "UND_ERR_INVALID_ARG")), {
    ok: false,
    reason: "unreachable",
    code: "CLIENT_ERROR",
    detail: "our own HTTP client could not make the call (UND_ERR_INVALID_ARG)",
  });
  assert.equal(outcomeOfNoAnswer(new HttpFailure("client", true, "x")).reason, "unknown");
});

test("a defect is not taken for a network failure", () => {
  assert.throws(() => outcomeOfNoAnswer(new TypeError("x")), TypeError);
});
