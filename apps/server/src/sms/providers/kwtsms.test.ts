import assert from "node:assert/strict";
import { test } from "node:test";
import { gateway, sms, smsAccount } from "../../../test/sms-provider-bench.ts";
import { kwtsms } from "./kwtsms.ts";
import { cleanText } from "./kwtsms-text.ts";
import type { HttpRequest } from "../../lib/http.ts";
import { textOf } from "../../../test/streaming.ts";
import { processorMs } from "../../../test/processor-time.ts";

const account = smsAccount(
  "kwtsms",
  { username: "api-user", from: "KWT-SMS" },
  { password: "p4ss" },
);
const taken = {
  result: "OK",
  "msg-id": "f4c841adee210f31307633ceaebff2ec",
  numbers: 1,
  "points-charged": 1,
  "balance-after": 180,
  "unix-timestamp": 1684763355,
};
const bodyOf = (request: HttpRequest | undefined) =>
  JSON.parse(textOf(request)) as Record<string, string>;

const texts: [from: string, to: string][] = [
  ["Your code is 482913", "Your code is 482913"],
  ["رمزك ٤٨٢٩١٣ و ۴۸", "رمزك 482913 و 48"],
  ["Hi 😀👍🏽 👨‍👩‍👧 🇰🇼 ❤️ 1️⃣!", "Hi    1!"],
  ["<b>bold</b> a < b > c <!-- x -->", "bold a < b > c"],
  ["a\u200bb\u200e\ufeffc\u00add\u0000e\tf\r\ng", "abcde f\ng"],
  ["\u200f  \u{1f600} ", ""],
];
test("the text is cleaned: digits, pictures, invisible characters, tags", () => {
  for (const [from, to] of texts)
    assert.equal(cleanText(from).replaceAll(/ {2,}/g, "  "), to.replaceAll(/ {2,}/g, "  "), from);
  // Takes some 10 ms; in quadratic time it would take minutes.
  const took = processorMs(() => cleanText("<a ".repeat(50_000)));
  assert.ok(took < 10_000, `${took} ms`);
});

test("a send is one JSON document with the language flag of its text", async () => {
  const { lines, requests } = gateway(200, taken);
  const wanted = { ok: true, externalId: taken["msg-id"] };
  assert.deepEqual(await kwtsms.send(lines, account, sms), wanted);
  assert.equal(requests[0]?.url, "http://gateway.example/API/send/");
  assert.deepEqual(bodyOf(requests[0]), {
    username: "api-user",
    password: "p4ss",
    sender: "KWT-SMS",
    mobile: "96550000001",
    message: sms.text,
    lang: "1",
  });
  await kwtsms.send(lines, account, { ...sms, text: "رمزك ٤٨" });
  await kwtsms.send(lines, account, { ...sms, lang: "A" });
  assert.deepEqual([bodyOf(requests[1])["message"], bodyOf(requests[1])["lang"]], ["رمزك 48", "3"]);
  assert.equal(bodyOf(requests[2])["lang"], "3");
});

const refusals: [http: number, code: string, reason: string, smsCode: string, scope: string][] = [
  [403, "ERR001", "misconfigured", "GATEWAY_AUTH", "account"],
  [403, "ERR003", "misconfigured", "GATEWAY_AUTH", "account"],
  [200, "ERR010", "misconfigured", "GATEWAY_CREDIT", "account"],
  [403, "ERR006", "rejected", "INVALID_NUMBER", "recipient"],
  [200, "ERR025", "rejected", "INVALID_NUMBER", "recipient"],
  [200, "ERR026", "rejected", "UNREACHABLE_NUMBER", "recipient"],
  [200, "ERR008", "misconfigured", "REJECTED", "account"],
  [200, "ERR012", "rejected", "REJECTED", "template"],
  [200, "ERR013", "throttled", "GATEWAY_RATE_LIMITED", "account"],
  [200, "ERR028", "throttled", "GATEWAY_RATE_LIMITED", "account"],
  [200, "ERR099", "rejected", "REJECTED", "recipient"],
  [403, "ERR029", "rejected", "REJECTED", "recipient"],
  [403, "", "misconfigured", "GATEWAY_AUTH", "account"],
  [500, "", "unknown", "GATEWAY_UNAVAILABLE", "recipient"],
];
test("each refusal is read from the body, whatever the HTTP status", async () => {
  for (const [http, code, reason, smsCode, scope] of refusals) {
    const { lines } = gateway(http, { result: "ERROR", code, description: "words" });
    const outcome = await kwtsms.send(lines, account, sms);
    assert.ok(!outcome.ok);
    const got = [outcome.reason, outcome.smsCode, outcome.scope];
    assert.deepEqual(got, [reason, smsCode, scope], code);
    const wait = { ERR028: 15_000, ERR013: 30_000 }[code];
    assert.equal(outcome.retryAfterMs, wait, code);
  }
});

test("seven pages, or nothing left after cleaning, are never sent", async () => {
  const { lines, requests } = gateway(200, taken);
  for (const text of ["م".repeat(403), "x".repeat(919), "😀😀"]) {
    const outcome = await kwtsms.send(lines, account, { ...sms, text });
    assert.ok(!outcome.ok && outcome.smsCode === "REJECTED" && outcome.scope === "template");
  }
  assert.equal(requests.length, 0);
  assert.ok((await kwtsms.send(lines, account, { ...sms, text: "م".repeat(402) })).ok);
});

test("an incomplete answer leaves it open; echoes are removed", async () => {
  for (const body of ["", "<html>", {}, { result: "OK" }, { result: "ERROR" }]) {
    const outcome = await kwtsms.send(gateway(200, body).lines, account, sms);
    assert.ok(!outcome.ok && outcome.reason === "unknown", JSON.stringify(body));
  }
  const description = `password p4ss, message ${sms.text}`;
  const { lines } = gateway(200, { result: "ERROR", code: "ERR031", description });
  const outcome = await kwtsms.send(lines, account, sms);
  assert.ok(!outcome.ok && !/482913|p4ss/.test(outcome.detail));
});

const reports: [body: object, status: string | null, smsCode: string | null][] = [
  [report("Received by recipient"), "delivered", null],
  [report("Delivered to mobile"), "delivered", null],
  [report("Blacklisted"), "failed", "BLOCKED_BY_RECIPIENT"],
  [report("Not delivered"), "failed", "UNREACHABLE_NUMBER"],
  [report("Expired"), "failed", "GATEWAY_UNAVAILABLE"],
  [report("Undelivered"), "failed", "UNREACHABLE_NUMBER"],
  [report("Failed"), "failed", "UNREACHABLE_NUMBER"],
  [report("Rejected"), "failed", "REJECTED"],
  [report("Invalid number"), "failed", "REJECTED"],
  [report("In progress"), null, null],
  [{ result: "ERROR", code: "ERR019", description: "No reports yet" }, null, null],
  [{ result: "ERROR", code: "ERR030", description: "Stuck in queue" }, null, null],
  [{ ...report("Expired"), result: "ERROR" }, null, null],
  [{ result: "OK", report: { 0: { Status: "Expired" } } }, null, null],
  [{ result: "OK", report: [] }, null, null],
  [{}, null, null],
];
function report(Status: string) {
  return { result: "OK", report: [{ Number: "96550000001", Status }] };
}
test("a report that we asked for becomes a receipt; no report yet becomes none", async () => {
  for (const [body, status, smsCode] of reports) {
    const { lines, requests } = gateway(200, body);
    const receipt = await kwtsms.lookUp?.(lines, account, "msg-1");
    assert.equal(requests[0]?.url, "http://gateway.example/API/dlr/");
    assert.equal(bodyOf(requests[0])["msgid"], "msg-1");
    const got = [receipt?.status ?? null, receipt?.smsCode ?? null];
    assert.deepEqual(got, [status, smsCode], JSON.stringify(body));
    if (status === "failed")
      assert.deepEqual(
        [receipt?.externalMessageId, receipt?.correlationId, receipt?.scope, receipt?.optedOut],
        ["msg-1", null, "recipient", smsCode === "BLOCKED_BY_RECIPIENT"],
      );
    assert.equal(bodyOf(requests[0])["password"], "p4ss");
  }
});
