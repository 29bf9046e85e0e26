import assert from "node:assert/strict";
import { test } from "node:test";
import { gateway, raw, sms, smsAccount, TOKEN } from "../../../test/sms-provider-bench.ts";
import { infobip } from "./infobip.ts";
import { textOf } from "../../../test/streaming.ts";

const account = smsAccount("infobip", { from: "SHOP" }, { apiKey: "key-1" });
const answer = (groupName: string, name: string) => ({
  messages: [
    {
      messageId: "m-1",
      destination: "96550000001",
      status: { groupId: 1, groupName, id: 26, name, description: "words" },
    },
  ],
});

test("a send is one message with our id as its own and the token in the delivery webhook", async () => {
  const { lines, requests } = gateway(200, answer("PENDING", "PENDING_ACCEPTED"));
  assert.deepEqual(await infobip.send(lines, account, sms), { ok: true, externalId: "m-1" });
  const [request] = requests;
  assert.equal(request?.url, "http://gateway.example/sms/3/messages");
  assert.equal(request.headers?.["authorization"], "App key-1");
  assert.deepEqual(JSON.parse(textOf(request)), {
    messages: [
      {
        sender: "SHOP",
        destinations: [{ to: "96550000001", messageId: "m-1" }],
        content: { text: sms.text },
        webhooks: {
          delivery: {
            url: `https://hub.example/hooks/sms/p1?m=m-1&k=${TOKEN}`,
            intermediateReport: true,
            contentType: "application/json",
          },
        },
      },
    ],
  });
});

const refusals: [status: number, body: object, reason: string, smsCode: string, scope: string][] = [
  [200, answer("REJECTED", "REJECTED_DESTINATION"), "rejected", "INVALID_NUMBER", "recipient"],
  [200, answer("REJECTED", "REJECTED_NETWORK"), "rejected", "UNREACHABLE_NUMBER", "recipient"],
  [200, answer("REJECTED", "REJECTED_DND"), "rejected", "BLOCKED_BY_RECIPIENT", "recipient"],
  [
    200,
    answer("REJECTED", "REJECTED_NOT_ENOUGH_CREDITS"),
    "misconfigured",
    "GATEWAY_CREDIT",
    "account",
  ],
  [200, answer("REJECTED", "REJECTED_SENDER"), "misconfigured", "REJECTED", "account"],
  [200, answer("REJECTED", "REJECTED_MESSAGE_TOO_LONG"), "rejected", "REJECTED", "template"],
  [
    200,
    answer("REJECTED", "REJECTED_SYSTEM_ERROR"),
    "unreachable",
    "GATEWAY_UNAVAILABLE",
    "recipient",
  ],
  [
    401,
    { requestError: { serviceException: { messageId: "UNAUTHORIZED", text: "Invalid login" } } },
    "misconfigured",
    "GATEWAY_AUTH",
    "account",
  ],
  [403, { errorCode: "E403", description: "no" }, "misconfigured", "GATEWAY_AUTH", "account"],
  [429, {}, "throttled", "GATEWAY_RATE_LIMITED", "account"],
  [400, { errorCode: "E400", description: "bad" }, "rejected", "REJECTED", "recipient"],
  [503, {}, "unknown", "GATEWAY_UNAVAILABLE", "recipient"],
];
test("each refusal gets its reason, its normal word and its scope", async () => {
  for (const [status, body, reason, smsCode, scope] of refusals) {
    const outcome = await infobip.send(gateway(status, body).lines, account, sms);
    assert.ok(!outcome.ok);
    const got = [outcome.reason, outcome.smsCode, outcome.scope];
    assert.deepEqual(got, [reason, smsCode, scope], JSON.stringify(body));
  }
});

test("a 2xx without an answer leaves it open whether the text was sent; too long a text is never sent", async () => {
  for (const body of ["", "<html>", {}, { messages: [] }, { messages: [{ messageId: "x" }] }]) {
    const outcome = await infobip.send(gateway(200, body).lines, account, sms);
    assert.ok(!outcome.ok && outcome.reason === "unknown", JSON.stringify(body));
  }
  const { lines, requests } = gateway(200, {});
  const long = await infobip.send(lines, account, { ...sms, text: "م".repeat(1_000) });
  assert.ok(!long.ok && long.smsCode === "REJECTED" && requests.length === 0);
  assert.match(long.detail, /takes 15 SMS parts, the gateway takes 10/);
});

test("ACCEPTED is read as PENDING; an undocumented group leaves it open", async () => {
  const answer = (status: object) => ({ messages: [{ messageId: "m-1", status }] });
  const accepted = answer({ groupId: 0, groupName: "ACCEPTED", name: "MESSAGE_ACCEPTED" });
  assert.deepEqual(await infobip.send(gateway(200, accepted).lines, account, sms), {
    ok: true,
    externalId: "m-1",
  });
  const unheard = answer({ groupName: "HOLOGRAM", name: "HOLOGRAM_SHOWN" });
  const outcome = await infobip.send(gateway(200, unheard).lines, account, sms);
  assert.ok(!outcome.ok && outcome.reason === "unknown");
});

const report = (groupName: string, name = "NO_ERROR", permanent?: boolean, status?: string) => ({
  messageId: "m-1",
  to: "96550000001",
  status: { groupName, ...(status !== undefined && { name: status }) },
  error: { groupId: 0, id: 0, name, ...(permanent !== undefined && { permanent }) },
});
const reports: [result: object, status: string, code: string | null, smsCode: string | null][] = [
  [report("DELIVERED"), "delivered", null, null],
  [report("PENDING"), "sent", null, null],
  [report("ACCEPTED"), "sent", null, null],
  [
    report("REJECTED", "NO_ERROR", false, "REJECTED_NOT_ENOUGH_CREDITS"),
    "failed",
    "REJECTED_NOT_ENOUGH_CREDITS",
    "GATEWAY_CREDIT",
  ],
  [
    report("REJECTED", "NO_ERROR", false, "REJECTED_DND"),
    "failed",
    "REJECTED_DND",
    "BLOCKED_BY_RECIPIENT",
  ],
  [report("EXPIRED"), "failed", "EXPIRED", "GATEWAY_UNAVAILABLE"],
  [report("REJECTED"), "failed", "REJECTED", "REJECTED"],
  [report("UNDELIVERABLE"), "failed", "UNDELIVERABLE", "UNREACHABLE_NUMBER"],
  [report("UNDELIVERABLE", "EC_X", true), "failed", "EC_X", "UNREACHABLE_NUMBER"],
  [report("UNDELIVERABLE", "EC_X", false), "failed", "EC_X", "GATEWAY_UNAVAILABLE"],
  [
    report("UNDELIVERABLE", "EC_UNKNOWN_SUBSCRIBER", true),
    "failed",
    "EC_UNKNOWN_SUBSCRIBER",
    "INVALID_NUMBER",
  ],
];
test("every result of a report becomes a receipt with its permanent or temporary word", () => {
  const all = raw(JSON.stringify({ results: reports.map(([result]) => result) }));
  const { receipts } = infobip.parse(all, account);
  assert.deepEqual(
    receipts.map((one) => [one.correlationId, one.status, one.errorCode, one.smsCode]),
    reports.map(([, ...rest]) => ["m-1", ...rest]),
  );
  const about = (result: object) =>
    infobip.parse(raw(JSON.stringify({ results: [result] })), account).receipts;
  const [blacklisted] = about(report("REJECTED", "EC_BLACKLISTED_DESTINATIONADDRESS", true));
  const [refused] = about(report("REJECTED", "NO_ERROR", false, "REJECTED_NOT_ENOUGH_CREDITS"));
  assert.deepEqual([blacklisted?.optedOut, blacklisted?.scope], [true, "recipient"]);
  assert.deepEqual([refused?.optedOut, refused?.scope], [false, "account"]);
  const [handed] = about(report("DELIVERED", "NO_ERROR", false, "DELIVERED_TO_OPERATOR"));
  assert.equal(handed?.status, "sent");
  assert.deepEqual(about({ ...report("DELIVERED"), messageId: "" }), []);
  for (const body of ["", "{", "[]", '{"results":[null,1,{}]}', '{"results":{"a":1}}'])
    assert.deepEqual(infobip.parse(raw(body), account).receipts, []);
});

test("a report is accepted only with the account's token", () => {
  assert.ok(infobip.verify(raw("{}", { k: TOKEN }), "", account));
  for (const k of ["", TOKEN.slice(1), `${TOKEN}t`, TOKEN.toUpperCase()])
    assert.ok(!infobip.verify(raw("{}", { k }), "", account));
  assert.ok(!infobip.verify(raw("{}", { k: "" }), "", { ...account, secrets: {} }));
});

test("an inbound message (MO_JSON_2) gives its whole text: the keyword may be the stop word", () => {
  const results = [
    {
      messageId: "817790313235066447",
      from: "385916242493",
      to: "385921004026",
      text: "STOP",
      cleanText: "",
      keyword: "STOP",
      receivedAt: "2026-10-06T09:28:39.220+0000",
      smsCount: 1,
      price: { pricePerMessage: 0, currency: "EUR" },
      callbackData: "callbackData",
    },
  ];
  assert.deepEqual(infobip.parse(raw(JSON.stringify({ results })), account), {
    receipts: [],
    inbound: [
      {
        externalMessageId: "817790313235066447",
        from: "385916242493",
        text: "STOP",
        writtenAt: new Date("2026-10-06T09:28:39.220Z"),
      },
    ],
  });
  for (const more of [{ messageId: "" }, { from: "" }, { text: "" }, { status: {} }]) {
    const request = raw(JSON.stringify({ results: [{ ...results[0], ...more }] }));
    assert.deepEqual(infobip.parse(request, account).inbound, [], JSON.stringify(more));
  }
});
