import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpFailure } from "../../lib/http.ts";
import {
  gateway,
  linesOver,
  raw,
  sms,
  smsAccount,
  TOKEN,
} from "../../../test/sms-provider-bench.ts";
import { vonage } from "./vonage.ts";

const account = smsAccount("vonage", { apiKey: "abcd1234", from: "SHOP" }, { apiSecret: "s3cret" });
const part = (id: string) => ({
  to: "96550000001",
  "message-id": id,
  status: "0",
  "remaining-balance": "3.14",
  "message-price": "0.0333",
  network: "41902",
  "client-ref": "m-1",
});
const answer = (...messages: object[]) => ({ "message-count": String(messages.length), messages });
const form = (body: unknown) => Object.fromEntries(new URLSearchParams(String(body)));

test("a send is one form with our id as client-ref and the token in the callback", async () => {
  const { lines, requests } = gateway(200, answer(part("a")));
  assert.deepEqual(await vonage.send(lines, account, sms), { ok: true, externalId: "a" });
  assert.equal(requests[0]?.url, "http://gateway.example/sms/json");
  assert.deepEqual(form(requests[0]?.body), {
    api_key: "abcd1234",
    api_secret: "s3cret",
    from: "SHOP",
    to: "96550000001",
    text: sms.text,
    type: "text",
    "client-ref": "m-1",
    "status-report-req": "1",
    callback: `https://hub.example/hooks/sms/p1?k=${TOKEN}`,
  });
});

test("Arabic, lang A and characters that GSM-7 lacks are sent as unicode", async () => {
  for (const [text, lang, type] of [
    ["رمزك 482913", "E", "unicode"],
    ["plain", "A", "unicode"],
    ["ç", "E", "unicode"],
    ["€ é", "E", "text"],
  ] as const) {
    const { lines, requests } = gateway(200, answer(part("a")));
    await vonage.send(lines, account, { ...sms, text, lang });
    assert.equal(form(requests[0]?.body)["type"], type, text);
  }
});

test("every part must be accepted; all their ids are kept", async () => {
  const whole = gateway(200, answer(part("a"), part("b")));
  assert.deepEqual(await vonage.send(whole.lines, account, sms), { ok: true, externalId: "a,b" });
  const numbers = gateway(200, answer({ ...part("a"), status: 0 }));
  assert.deepEqual(await vonage.send(numbers.lines, account, sms), { ok: true, externalId: "a" });
  const cut = gateway(200, answer(part("a"), { status: "1", "error-text": "wait [ 250 ]" }));
  const outcome = await vonage.send(cut.lines, account, sms);
  // The accepted part is charged, and is not sent again.
  assert.ok(!outcome.ok && outcome.reason === "throttled" && outcome.partsTaken === 1);
  assert.match(outcome.detail, /^1 of 2 parts/);
  assert.equal(outcome.smsCode, "GATEWAY_RATE_LIMITED");
});

const refusals: [status: string, reason: string, smsCode: string, scope: string][] = [
  ["1", "throttled", "GATEWAY_RATE_LIMITED", "account"],
  ["2", "rejected", "REJECTED", "recipient"],
  ["3", "rejected", "REJECTED", "recipient"],
  ["4", "misconfigured", "GATEWAY_AUTH", "account"],
  ["5", "unreachable", "GATEWAY_UNAVAILABLE", "account"],
  ["6", "rejected", "UNREACHABLE_NUMBER", "recipient"],
  ["7", "rejected", "UNREACHABLE_NUMBER", "recipient"],
  ["8", "misconfigured", "GATEWAY_AUTH", "account"],
  ["9", "misconfigured", "GATEWAY_CREDIT", "account"],
  ["10", "unreachable", "GATEWAY_UNAVAILABLE", "account"],
  ["12", "rejected", "REJECTED", "template"],
  ["15", "misconfigured", "REJECTED", "account"],
  ["33", "rejected", "UNREACHABLE_NUMBER", "recipient"],
  ["constructor", "rejected", "REJECTED", "recipient"],
];
test("HTTP 200 with an error status is a refusal", async () => {
  for (const [status, reason, smsCode, scope] of refusals) {
    const { lines } = gateway(200, answer({ status, "error-text": "words" }));
    const outcome = await vonage.send(lines, account, sms);
    assert.ok(!outcome.ok);
    assert.deepEqual(
      [outcome.reason, outcome.smsCode, outcome.scope, outcome.code],
      [reason, smsCode, scope, status],
    );
  }
});

test("a throttle waits as long as its words say", async () => {
  const words = "Throughput Rate Exceeded - please wait [ 250 ] and retry";
  const outcome = await vonage.send(
    gateway(200, answer({ status: "1", "error-text": words })).lines,
    account,
    sms,
  );
  assert.equal(!outcome.ok && outcome.retryAfterMs, 250);
});

test("an answer that is not Vonage's leaves it open; no answer at all is another outcome", async () => {
  for (const body of [
    "",
    "<html>",
    "[]",
    {},
    { messages: [] },
    answer({ status: "0" }),
    answer(part("a"), { status: "0" }),
    answer({}),
  ]) {
    const outcome = await vonage.send(gateway(200, body).lines, account, sms);
    assert.ok(!outcome.ok && outcome.reason === "unknown", JSON.stringify(body));
  }
  for (const [status, reason] of [
    [199, "rejected"],
    [300, "unreachable"],
    [401, "misconfigured"],
    [429, "throttled"],
    [500, "unknown"],
  ] as const) {
    const outcome = await vonage.send(gateway(status, "").lines, account, sms);
    assert.ok(!outcome.ok && outcome.reason === reason && outcome.code === `HTTP_${status}`);
  }
  for (const [sent, reason] of [
    [true, "unknown"],
    [false, "unreachable"],
  ] as const) {
    const lines = linesOver({
      request: () => Promise.reject(new HttpFailure("timeout", sent, "x")),
    });
    const outcome = await vonage.send(lines, account, sms);
    assert.ok(!outcome.ok && outcome.reason === reason);
  }
});

test("a refusal's words lose what they repeat of the text, and too long a text is never sent", async () => {
  const words = "Invalid text: Your code is 482913";
  const outcome = await vonage.send(
    gateway(200, answer({ status: "3", "error-text": words })).lines,
    account,
    sms,
  );
  assert.ok(!outcome.ok && !outcome.detail.includes("482913"));
  const { lines, requests } = gateway(200, answer(part("a")));
  const long = await vonage.send(lines, account, { ...sms, text: "x".repeat(3_201) });
  assert.ok(!long.ok && long.smsCode === "REJECTED" && requests.length === 0);
});

const receipt = {
  msisdn: "96550000001",
  to: "SHOP",
  "network-code": "41902",
  messageId: "aaaaaaaa-bbbb-cccc-dddd-0123456789ab",
  price: "0.033",
  status: "delivered",
  scts: "2001011400",
  "err-code": "0",
  "api-key": "abcd1234",
  "client-ref": "m-1",
  "message-timestamp": "2020-01-01 12:00:00 +0000",
};

test("a receipt as JSON, as a form and in a query says the same", () => {
  const wanted = {
    externalMessageId: receipt.messageId,
    correlationId: "m-1",
    status: "delivered",
    occurredAt: null,
    errorCode: null,
    errorDetail: null,
    smsCode: null,
  };
  for (const request of [
    raw(JSON.stringify(receipt)),
    raw(new URLSearchParams(receipt).toString()),
    raw("", receipt),
  ])
    assert.deepEqual(vonage.parse(request, account), { receipts: [wanted], inbound: [] });
});

const codes: [status: string, code: string, to: string, smsCode: string | null][] = [
  ["accepted", "0", "sent", null],
  ["buffered", "0", "sent", null],
  ["expired", "0", "failed", "GATEWAY_UNAVAILABLE"],
  ["failed", "2", "failed", "GATEWAY_UNAVAILABLE"],
  ["failed", "3", "failed", "UNREACHABLE_NUMBER"],
  ["failed", "4", "failed", "BLOCKED_BY_RECIPIENT"],
  ["failed", "9", "failed", "INVALID_NUMBER"],
  ["rejected", "11", "failed", "UNREACHABLE_NUMBER"],
  ["rejected", "50", "failed", "REJECTED"],
  ["failed", "99", "failed", "REJECTED"],
];
test("each receipt gets its status and its word; unknown says nothing", () => {
  for (const [status, code, to, smsCode] of codes) {
    const [got] = vonage.parse(raw("", { ...receipt, status, "err-code": code }), account).receipts;
    assert.deepEqual([got?.status, got?.smsCode], [to, smsCode], `${status} ${code}`);
    const [scope, optedOut] = to === "failed" ? ["recipient", code === "4"] : [];
    assert.deepEqual([got?.scope, got?.optedOut], [scope, optedOut], `${status} ${code}`);
  }
  const { "client-ref": _ref, "err-code": _code, ...bare } = receipt;
  const [late] = vonage.parse(raw("", { ...bare, status: "expired" }), account).receipts;
  assert.deepEqual(
    [late?.errorCode, late?.errorDetail, late?.smsCode, late?.correlationId],
    ["EXPIRED", "expired", "GATEWAY_UNAVAILABLE", null],
  );
  assert.deepEqual(vonage.parse(raw("", { ...receipt, messageId: "" }), account).receipts, []);
  for (const status of ["unknown", "constructor", ""])
    assert.deepEqual(vonage.parse(raw("", { ...receipt, status }), account).receipts, []);
  for (const body of ["{", "[1]", "null", "x"]) vonage.parse(raw(body), account);
});

const SIGNATURES = [
  ["md5hash", "5ebf0856234b31c13eda457b8be1c662"],
  ["md5", "d2abcb466891f85d8ae57b0d2e898d56"],
  ["sha1", "8163a500c9d875c5ac6051184a3d176b154d2b33"],
  ["sha256", "99f4980ebdc8d9955597f1cd73755b049bbb0b50af2661aaa2ff9c7abdecb0be"],
  [
    "sha512",
    "341db4e24b1dd434a1ac1f1aea6fdd8d0ccc01e922bde31339bcb15dc71ad0d3b8b171e0c325853b6dbcd8b7da76e5317f8de6ceb5f583bdead657349619ac34",
  ],
] as const;

test("without a signature secret the token decides, with one the signature", () => {
  const body = JSON.stringify(receipt);
  assert.ok(vonage.verify(raw(body, { k: TOKEN }), "", account));
  for (const k of ["", "x", `${TOKEN}x`, "é".repeat(16)])
    assert.ok(!vonage.verify(raw(body, { k }), "", account));
  const signing = { ...account, secrets: { ...account.secrets, signatureSecret: "abc" } };
  assert.ok(!vonage.verify(raw(body, { k: TOKEN }), "", signing));
  // md5("&a=x_y_z&timestamp=1700000000" + "abc") and its HMAC forms, calculated by hand with openssl.
  const parameters = { timestamp: "1700000000", a: "x&y=z" };
  for (const [method, sig] of SIGNATURES) {
    const with_ = { ...signing, settings: { ...account.settings, signatureMethod: method } };
    const signed = { ...parameters, sig };
    assert.ok(vonage.verify(raw("", signed), "", with_), method);
    assert.ok(vonage.verify(raw("", { ...signed, k: TOKEN }), "", with_), method);
    assert.ok(vonage.verify(raw(JSON.stringify(signed), { k: "z" }), "", with_), method);
    assert.ok(!vonage.verify(raw("", { ...signed, a: "x&y=Z" }), "", with_), method);
    for (const wrong of ["", "é", sig.slice(1), `${sig}0`])
      assert.ok(!vonage.verify(raw("", { ...signed, sig: wrong }), "", with_));
  }
});

test("an inbound SMS gives the sender's digits and the text", () => {
  const inbound = { msisdn: "96550000001", to: "SHOP", messageId: "x", text: "STOP", type: "text" };
  assert.deepEqual(vonage.parse(raw("", inbound), account).inbound, [
    { externalMessageId: "x", from: "96550000001", text: "STOP" },
  ]);
  const timed = (at: string) =>
    vonage.parse(raw("", { ...inbound, "message-timestamp": at }), account).inbound[0]?.writtenAt;
  for (const at of ["2026-01-01 12:00:00", "2026-01-01 12:00:00 +0000"])
    assert.deepEqual(timed(at), new Date("2026-01-01T12:00:00Z"));
  assert.equal(timed("yesterday"), undefined);
  const whole = { ...inbound, concat: "true", "concat-ref": "9", "concat-total": "1" };
  assert.equal(vonage.parse(raw("", whole), account).inbound.length, 1);
  const { text: _, ...silent } = inbound;
  const part = { ...whole, "concat-total": "2", "concat-part": "2" };
  for (const fields of [silent, part, { ...inbound, msisdn: "" }, { ...receipt, text: "STOP" }])
    assert.deepEqual(vonage.parse(raw("", fields), account).inbound, []);
});
