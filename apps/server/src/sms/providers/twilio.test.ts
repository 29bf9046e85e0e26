import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import twilioSdk from "twilio";
import { HttpFailure, type Http, type HttpRequest, type HttpResponse } from "../../lib/http.ts";
import { linesOver } from "../../../test/sms-provider-bench.ts";
import type { SmsAccount } from "../provider.ts";
import { twilio } from "./twilio.ts";
import { textOf } from "../../../test/streaming.ts";

const account: SmsAccount = {
  providerId: "p1",
  workspaceId: "w1",
  provider: "twilio",
  apiUrl: "http://gateway.example",
  settings: { accountSid: "AC1", from: "+15551234567" },
  secrets: { authToken: "secret" },
  statusUrl: "https://hub.example/hooks/sms/p1",
};
const sms = { id: "m-1", to: "96550000001", text: "Your code is 482913", lang: "E" } as const;

/** A gateway that answers as told and records the requests. */
function gateway(status: number, body: unknown, headers: Record<string, string> = {}) {
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

test("a send is one form with our id in the callback, and gives the message's sid", async () => {
  const { lines, requests } = gateway(201, { sid: "SM1", status: "queued" });
  assert.deepEqual(await twilio.send(lines, account, sms), { ok: true, externalId: "SM1" });
  const [request] = requests;
  assert.equal(request?.url, "http://gateway.example/2010-04-01/Accounts/AC1/Messages.json");
  assert.equal(request.headers?.["authorization"], `Basic ${btoa("AC1:secret")}`);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(textOf(request))), {
    To: "+96550000001",
    From: "+15551234567",
    Body: sms.text,
    StatusCallback: "https://hub.example/hooks/sms/p1?m=m-1",
  });
});

test("a Messaging Service replaces the sender; Twilio gets no callback address that it could not reach", async () => {
  const { lines, requests } = gateway(201, { sid: "SM1" });
  const settings = { accountSid: "AC1", from: `MG${"0".repeat(32)}` };
  const statusUrl = "http://127.0.0.1:3000/hooks/sms/p1";
  await twilio.send(
    lines,
    { ...account, settings, statusUrl, apiUrl: "https://api.twilio.com" },
    sms,
  );
  const form = new URLSearchParams(textOf(requests[0]));
  assert.equal(form.get("MessagingServiceSid"), settings.from);
  assert.deepEqual([form.has("From"), form.has("StatusCallback")], [false, false]);
  const reached = gateway(201, { sid: "SM1" });
  await twilio.send(reached.lines, { ...account, apiUrl: "https://api.twilio.com" }, sms);
  await twilio.send(reached.lines, { ...account, statusUrl }, sms);
  for (const request of reached.requests)
    assert.ok(new URLSearchParams(textOf(request)).has("StatusCallback"));
});

test("a text of more than 1,600 characters is never sent", async () => {
  const { lines, requests } = gateway(201, { sid: "SM1" });
  assert.ok((await twilio.send(lines, account, { ...sms, text: "x".repeat(1_600) })).ok);
  const long = await twilio.send(lines, account, { ...sms, text: "x".repeat(1_601) });
  assert.ok(!long.ok && long.reason === "rejected" && long.scope === "template");
  assert.equal(requests.length, 1);
});

const answers: [
  status: number,
  code: number | null,
  reason: string,
  smsCode: string,
  scope: string,
][] = [
  [400, 21211, "rejected", "INVALID_NUMBER", "recipient"],
  [400, 21614, "rejected", "UNREACHABLE_NUMBER", "recipient"],
  [400, 21610, "opted_out", "BLOCKED_BY_RECIPIENT", "recipient"],
  [400, 21408, "rejected", "REJECTED", "recipient"],
  [400, 21606, "misconfigured", "REJECTED", "account"],
  [401, 20003, "misconfigured", "GATEWAY_AUTH", "account"],
  [404, 20404, "misconfigured", "GATEWAY_AUTH", "account"],
  [429, 20429, "throttled", "GATEWAY_RATE_LIMITED", "account"],
  [429, null, "throttled", "GATEWAY_RATE_LIMITED", "account"],
  [400, 21611, "throttled", "GATEWAY_UNAVAILABLE", "account"],
  [400, 21617, "rejected", "REJECTED", "template"],
  [500, 20500, "unknown", "GATEWAY_UNAVAILABLE", "recipient"],
  [503, 20503, "unreachable", "GATEWAY_UNAVAILABLE", "account"],
  [502, null, "unknown", "GATEWAY_UNAVAILABLE", "recipient"],
  [403, null, "misconfigured", "GATEWAY_AUTH", "account"],
  [400, 99999, "rejected", "REJECTED", "recipient"],
];
test("each refusal gets its reason, its normal word and its scope", async () => {
  for (const [status, code, reason, smsCode, scope] of answers) {
    const { lines } = gateway(
      status,
      code === null ? "<html>" : { code, message: "words", status },
    );
    const outcome = await twilio.send(lines, account, sms);
    assert.ok(!outcome.ok);
    const got = [outcome.reason, outcome.smsCode, outcome.scope, outcome.code];
    assert.deepEqual(got, [reason, smsCode, scope, code === null ? `HTTP_${status}` : `${code}`]);
  }
});

test("an answer without a message id, and a 2xx that is not JSON, leave it open whether the text was sent", async () => {
  for (const body of ["", "<html>", "[]", "null", { sid: 7 }]) {
    const outcome = await twilio.send(gateway(200, body).lines, account, sms);
    assert.ok(!outcome.ok && outcome.reason === "unknown", JSON.stringify(body));
  }
});

test("no answer counts as unreachable only when it is proven that nothing was sent", async () => {
  const cases = [
    [new HttpFailure("connect", false, "x"), "unreachable", "GATEWAY_UNAVAILABLE"],
    [new HttpFailure("timeout", false, "x"), "unreachable", "GATEWAY_UNAVAILABLE"],
    [new HttpFailure("timeout", true, "x"), "unknown", "GATEWAY_TIMEOUT"],
    [new HttpFailure("reset", true, "x"), "unknown", "GATEWAY_UNAVAILABLE"],
    // An address that we do not call: the account's own fault, until somebody repairs it.
    [new HttpFailure("blocked", false, "x"), "misconfigured", "GATEWAY_UNAVAILABLE"],
  ] as const;
  for (const [failure, reason, smsCode] of cases) {
    const outcome = await twilio.send(
      linesOver({ request: () => Promise.reject(failure) }),
      account,
      sms,
    );
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.smsCode], [reason, smsCode]);
  }
});

test("a throttled send keeps the wait that it was given", async () => {
  const { lines } = gateway(
    429,
    { code: 20429, message: "Too Many Requests" },
    { "retry-after": "7" },
  );
  const outcome = await twilio.send(lines, account, sms);
  assert.equal(!outcome.ok && outcome.retryAfterMs, 7_000);
  for (const wait of ["0", "-1", "Infinity", "soon"]) {
    const odd = await twilio.send(gateway(429, "", { "retry-after": wait }).lines, account, sms);
    assert.ok(!odd.ok && !("retryAfterMs" in odd), wait);
  }
  const untilTwoPast = {
    date: "Mon, 30 Nov 2026 10:00:00 GMT",
    "retry-after": "Mon, 30 Nov 2026 10:02:00 GMT",
  };
  const dated = await twilio.send(gateway(429, "", untilTwoPast).lines, account, sms);
  assert.equal(!dated.ok && dated.retryAfterMs, 120_000);
  // As for every platform: an absurd figure must neither hold a campaign for years nor give an invalid date.
  for (const wait of ["86401", "99999999999", "9e300"]) {
    const long = await twilio.send(gateway(429, "", { "retry-after": wait }).lines, account, sms);
    assert.equal(!long.ok && long.retryAfterMs, 86_400_000, wait);
  }
});

test("the gateway's words never repeat the text", async () => {
  const message = `Body 'Your code is 482913' and 482913 and Your%20code%20is%20482913 refused for +96550000001`;
  const outcome = await twilio.send(gateway(400, { code: 21602, message }).lines, account, sms);
  assert.ok(!outcome.ok);
  assert.doesNotMatch(outcome.detail, /482913|Your code/);
  assert.match(outcome.detail, /refused for \+96550000001/);
});

const raw = (body: string, signature?: string, query: Record<string, string> = {}) => ({
  body: Buffer.from(body),
  headers: { "x-twilio-signature": signature },
  query,
});
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

const documented = {
  CallSid: "CA1234567890ABCDE",
  Caller: "+14158675309",
  Digits: "1234",
  From: "+14158675309",
  To: "+18005551212",
};
const receipt = {
  AccountSid: `AC${"0".repeat(32)}`,
  ApiVersion: "2010-04-01",
  From: "+15551234567",
  MessageSid: `SM${"0".repeat(31)}1`,
  SmsSid: `SM${"0".repeat(31)}1`,
  MessageStatus: "delivered",
  SmsStatus: "delivered",
  To: "+96550000001",
};
const withToken = (authToken: string): SmsAccount => ({ ...account, secrets: { authToken } });

test("the documented signatures are accepted", () => {
  const vectors = [
    [
      "12345",
      "https://mycompany.com/myapp.php?foo=1&bar=2",
      documented,
      "RSOYDt4T1cUTdK1PDd93/VVr8B8=",
    ],
    [
      "twilio_test_auth_token",
      "https://hub.example/hooks/twilio/1?m=42",
      receipt,
      "PVj/Y8itLfUr1xopdz4HnkrHvG4=",
    ],
  ] as const;
  for (const [token, url, fields, signature] of vectors) {
    assert.ok(twilio.verify(raw(form(fields), signature), url, withToken(token)));
    assert.ok(!twilio.verify(raw(form(fields), signature), `${url}x`, withToken(token)));
    assert.ok(!twilio.verify(raw(form({ ...fields, To: "+1" }), signature), url, withToken(token)));
    assert.ok(!twilio.verify(raw(form(fields), signature), url, withToken("other")));
  }
});

test("a missing, empty or short signature and an account without a token are refused without a throw", () => {
  const url = "https://mycompany.com/x";
  for (const signature of [undefined, "", "a", "RSOYDt4T1cUTdK1PDd93/VVr8B8", "é".repeat(28)]) {
    assert.ok(!twilio.verify(raw(form(documented), signature), url, withToken("12345")));
  }
  assert.ok(!twilio.verify(raw("", "x"), "not a url", withToken("")));
});

test("Twilio's own library and this one agree, repeated fields, UTF-8 and ports included", () => {
  const cases: [url: string, fields: Record<string, string | string[]>][] = [
    ["https://hub.example/hooks/sms/p1?m=1", { Body: "مرحبا + & =", From: "+1" }],
    ["https://hub.example:8443/hooks/sms/p1", { A: ["b", "a", "a"], From: "+1" }],
    ["http://127.0.0.1:3000/hooks/sms/p1?m=0190", { Body: "", From: "+1" }],
  ];
  for (const [url, fields] of cases) {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields))
      for (const one of [value].flat()) body.append(name, one);
    const signature = twilioSdk.getExpectedTwilioSignature("token", url, fields);
    assert.ok(twilio.verify(raw(body.toString(), signature), url, withToken("token")), url);
  }
  // Behind a proxy Twilio signs the address with or without its standard port.
  const named = twilioSdk.getExpectedTwilioSignature("t", "https://hub.example:443/x", {});
  assert.ok(twilio.verify(raw("", named), "https://hub.example/x", withToken("t")));
  for (const [url, port] of [
    ["https://hub.example/x?m=1", 443],
    ["http://hub.example/x?m=1", 80],
  ] as const) {
    const bare = twilioSdk.getExpectedTwilioSignature("t", url, {});
    const called = url.replace("example/", `example:${port}/`);
    assert.ok(twilio.verify(raw("", bare), called, withToken("t")), called);
    assert.ok(twilio.verify(raw("", bare), url, withToken("t")), url);
    const other = url.replace("example/", "example:8443/");
    assert.ok(!twilio.verify(raw("", bare), other, withToken("t")), other);
  }
});

test("a JSON body is covered only by its hash in the signed address", () => {
  const body = '{"MessageSid":"SM1"}';
  const bodySHA256 = createHash("sha256").update(body).digest("hex");
  const url = `https://hub.example/hooks/sms/p1?bodySHA256=${bodySHA256}`;
  const signature = twilioSdk.getExpectedTwilioSignature("token", url, {});
  const verify = (given: string) =>
    twilio.verify(raw(given, signature, { bodySHA256 }), url, withToken("token"));
  assert.ok(verify(body));
  assert.ok(!verify(body.replace("SM1", "SM2")));
});

test("a receipt names the message, our id, its status and, after a failure, why", () => {
  const parse = (fields: Record<string, string>) =>
    twilio.parse(raw(form(fields), "", { m: "m-1" }), account);
  const [delivered] = parse(receipt).receipts;
  assert.deepEqual(delivered, {
    externalMessageId: receipt.MessageSid,
    correlationId: "m-1",
    status: "delivered",
    occurredAt: null,
    errorCode: null,
    errorDetail: null,
    smsCode: null,
  });
  const [failed] = parse({ ...receipt, MessageStatus: "undelivered", ErrorCode: "30005" }).receipts;
  assert.deepEqual(
    [failed?.status, failed?.errorCode, failed?.smsCode, failed?.scope],
    ["failed", "30005", "UNREACHABLE_NUMBER", "recipient"],
  );
  const [stopped] = parse({ ...receipt, MessageStatus: "failed", ErrorCode: "21610" }).receipts;
  assert.deepEqual([stopped?.optedOut, failed?.optedOut], [true, false]);
  const words = {
    accepted: "sent",
    scheduled: "sent",
    queued: "sent",
    sending: "sent",
    sent: "sent",
    partially_delivered: "sent",
    delivered: "delivered",
    read: "read",
    undelivered: "failed",
    failed: "failed",
    canceled: "failed",
  };
  for (const [MessageStatus, status] of Object.entries(words)) {
    const [got] = parse({ ...receipt, MessageStatus }).receipts;
    const code = status === "failed" ? MessageStatus.toUpperCase() : null;
    assert.deepEqual([got?.status, got?.errorCode], [status, code], MessageStatus);
  }
  // The names of older accounts.
  const [old] = parse({ SmsSid: "SM3", SmsStatus: "delivered" }).receipts;
  assert.deepEqual([old?.externalMessageId, old?.status], ["SM3", "delivered"]);
  const [unnamed] = twilio.parse(raw(form(receipt)), account).receipts;
  assert.equal(unnamed?.correlationId, null);
  assert.deepEqual(parse({ ...receipt, MessageSid: "" }).receipts, []);
  for (const MessageStatus of ["constructor", "", "receiving"]) {
    assert.deepEqual(parse({ MessageSid: "SM1", MessageStatus }), { receipts: [], inbound: [] });
  }
});

test("an inbound SMS gives the sender's digits and the text", () => {
  const fields = {
    MessageSid: "SM2",
    SmsStatus: "received",
    From: "+96550000001",
    To: "+1",
    Body: "STOP",
  };
  assert.deepEqual(twilio.parse(raw(form(fields)), account), {
    receipts: [],
    inbound: [{ externalMessageId: "SM2", from: "+96550000001", text: "STOP" }],
  });
  const { From: _, ...nobody } = fields;
  assert.deepEqual(twilio.parse(raw(form(nobody)), account).inbound, []);
  // What Advanced Opt-Out read it as, in any language.
  const wishes = { STOP: "stop", START: "start", HELP: undefined };
  for (const [OptOutType, wish] of Object.entries(wishes)) {
    const [got] = twilio.parse(raw(form({ ...fields, OptOutType })), account).inbound;
    assert.equal(got?.wish, wish, OptOutType);
  }
});
