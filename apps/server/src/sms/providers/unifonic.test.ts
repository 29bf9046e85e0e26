import assert from "node:assert/strict";
import { test } from "node:test";
import { gateway, raw, sms, smsAccount, TOKEN } from "../../../test/sms-provider-bench.ts";
import { unifonic } from "./unifonic.ts";
import { textOf } from "../../../test/streaming.ts";

const account = smsAccount("unifonic", { from: "SHOP" }, { appSid: "app-sid-1" });
const taken = {
  success: "true",
  message: "",
  errorCode: "ER-00",
  data: {
    MessageID: 3200017889310,
    CorrelationID: "m-1",
    Status: "Queued",
    NumberOfUnits: 1,
    Cost: 0.4,
    Balance: "12.5",
    Recipient: "966500000001",
    TimeCreated: "2023-01-01 10:00:00",
    CurrencyCode: "SAR",
  },
};

test("a send is one form with our id, and the answer's long number is kept whole", async () => {
  const { lines, requests } = gateway(200, taken);
  const to = { ...sms, to: "966500000001" };
  const wanted = { ok: true, externalId: "3200017889310" };
  assert.deepEqual(await unifonic.send(lines, account, to), wanted);
  assert.equal(requests[0]?.url, "http://gateway.example/rest/SMS/messages");
  assert.deepEqual(Object.fromEntries(new URLSearchParams(textOf(requests[0]))), {
    AppSid: "app-sid-1",
    SenderID: "SHOP",
    Recipient: "966500000001",
    Body: sms.text,
    responseType: "JSON",
    CorrelationID: "m-1",
    statusCallback: "sent",
    async: "false",
  });
});

test("success as text and as a boolean are the same; false as text is a refusal", async () => {
  const real = await unifonic.send(gateway(200, { ...taken, success: true }).lines, account, sms);
  assert.ok(real.ok);
  for (const success of ["false", false]) {
    const body = { success, message: "words", errorCode: "ER-410", data: null };
    const outcome = await unifonic.send(gateway(200, body).lines, account, sms);
    assert.ok(!outcome.ok && outcome.smsCode === "INVALID_NUMBER", String(success));
  }
});

const refusals: [status: number, code: string, reason: string, smsCode: string, scope: string][] = [
  [200, "ER-401", "misconfigured", "GATEWAY_AUTH", "account"],
  [401, "401", "misconfigured", "GATEWAY_AUTH", "account"],
  [403, "ER-403", "misconfigured", "GATEWAY_AUTH", "account"],
  [200, "ER-410", "rejected", "INVALID_NUMBER", "recipient"],
  [200, "ER-482", "rejected", "INVALID_NUMBER", "recipient"],
  [429, "ER-429", "throttled", "GATEWAY_RATE_LIMITED", "account"],
  [200, "ER-412", "rejected", "REJECTED", "template"],
  [200, "ER-440", "misconfigured", "REJECTED", "account"],
  [200, "ER-480", "misconfigured", "REJECTED", "account"],
  [200, "ER-481", "rejected", "REJECTED", "recipient"],
  [200, "ER-599", "unreachable", "GATEWAY_UNAVAILABLE", "recipient"],
  [500, "", "unknown", "GATEWAY_UNAVAILABLE", "recipient"],
  [429, "", "throttled", "GATEWAY_RATE_LIMITED", "account"],
];
test("each refusal gets its reason, its normal word and its scope", async () => {
  for (const [status, errorCode, reason, smsCode, scope] of refusals) {
    const body = { success: "false", message: "words", errorCode };
    const outcome = await unifonic.send(gateway(status, body).lines, account, sms);
    assert.ok(!outcome.ok);
    const got = [outcome.reason, outcome.smsCode, outcome.scope];
    assert.deepEqual(got, [reason, smsCode, scope], `${status} ${errorCode}`);
  }
});

test("a 2xx without an answer leaves it open; too long a text is never sent; echoes are removed", async () => {
  for (const body of ["", "<html>", {}, { success: "true", data: {} }, { success: "maybe" }]) {
    const outcome = await unifonic.send(gateway(200, body).lines, account, sms);
    assert.ok(!outcome.ok && outcome.reason === "unknown", JSON.stringify(body));
  }
  const { lines, requests } = gateway(200, taken);
  const long = await unifonic.send(lines, account, { ...sms, text: "م".repeat(1_000) });
  assert.ok(!long.ok && long.smsCode === "REJECTED" && requests.length === 0);
  const body = { success: "false", errorCode: "ER-449", message: `app-sid-1: ${sms.text}` };
  const echo = await unifonic.send(gateway(200, body).lines, account, sms);
  assert.ok(!echo.ok && !/482913|app-sid/.test(echo.detail));
});

const receipt = {
  MessageID: "3200017889310",
  DLR: "Delivered",
  Recipient: "966500000001",
  TimeCreated: "2023-01-01 10:00:00",
  SCTS: "2023-01-01 10:00:05",
  DLRTimestamp: "2023-01-01 10:00:06",
};
const reports: [word: string, status: string, smsCode: string | null][] = [
  ["Delivered", "delivered", null],
  ["Sent", "sent", null],
  ["Undeliverable", "failed", "UNREACHABLE_NUMBER"],
  ["Expired", "failed", "GATEWAY_UNAVAILABLE"],
  ["Rejected", "failed", "REJECTED"],
  ["Blocked", "failed", "BLOCKED_BY_RECIPIENT"],
];
test("a receipt as a form, as JSON and in the query says the same", () => {
  for (const [DLR, status, smsCode] of reports) {
    const fields = { ...receipt, DLR };
    for (const request of [
      raw(new URLSearchParams(fields).toString()),
      raw(JSON.stringify({ messageId: 3200017889310, status: DLR, correlationId: "m-1" })),
      raw("", fields),
    ]) {
      const [got] = unifonic.parse(request, account).receipts;
      assert.deepEqual(
        [got?.externalMessageId, got?.status, got?.smsCode],
        ["3200017889310", status, smsCode],
      );
    }
  }
  const named = { ...receipt, DLR: "Expired", CorrelationID: "m-1" };
  assert.deepEqual(unifonic.parse(raw("", named), account).receipts, [
    {
      externalMessageId: "3200017889310",
      correlationId: "m-1",
      status: "failed",
      occurredAt: null,
      errorCode: "EXPIRED",
      errorDetail: "expired",
      smsCode: "GATEWAY_UNAVAILABLE",
      scope: "recipient",
      optedOut: false,
    },
  ]);
  const [unnamed] = unifonic.parse(raw("", { ...receipt, CorrelationID: "" }), account).receipts;
  assert.deepEqual([unnamed?.correlationId, unnamed?.errorCode], [null, null]);
  for (const body of ["", "{", "[]", "DLR=Delivered", "MessageID=1&DLR=constructor"])
    assert.deepEqual(unifonic.parse(raw(body), account).receipts, []);
});

test("a receipt is accepted only with the account's token", () => {
  const body = new URLSearchParams(receipt).toString();
  assert.ok(unifonic.verify(raw(body, { k: TOKEN }), "", account));
  assert.ok(!unifonic.verify(raw(body), "", account));
  assert.ok(!unifonic.verify(raw(body, { k: "x".repeat(32) }), "", account));
});
