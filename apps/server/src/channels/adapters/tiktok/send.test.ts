import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpFailure, type Http, type HttpRequest } from "../../../lib/http.ts";
import type { ChannelAccount, OutboundMessage } from "../../adapter.ts";
import { tiktok } from "./adapter.ts";
import { tiktokUrl } from "./api.ts";

const account: ChannelAccount = {
  channelId: "c1",
  workspaceId: "w1",
  type: "TIKTOK",
  externalId: "-000biz+1",
  apiUrl: "https://business-api.tiktok.com/open_api/v1.3",
  settings: { appId: "7300000000000000000" },
  secrets: { accessToken: "act.token", appSecret: "tt-secret-1" },
};
const message = (text: string): OutboundMessage => ({
  id: "msg-1",
  to: "u5Jh+/==",
  content: { kind: "text", text },
});

/** A platform that answers each call with the next of these. */
function platform(...answers: (object | HttpFailure)[]): Http & { requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  return {
    requests,
    request(request) {
      requests.push(request);
      const answer = answers.shift() ?? { code: 0, message: "OK", data: {} };
      if (answer instanceof HttpFailure) return Promise.reject(answer);
      const body = Buffer.from(JSON.stringify(answer));
      return Promise.resolve({ status: 200, headers: {}, body });
    },
  };
}
const accepted = { code: 0, message: "OK", data: { message: { message_id: "7431" } } };

test("a text is one POST with the Access-Token header and the body of the document", async () => {
  const http = platform(accepted);
  assert.deepEqual(await tiktok.send(http, account, message("hello")), {
    ok: true,
    externalId: "7431",
  });
  const [request] = http.requests;
  assert.ok(request && http.requests.length === 1);
  assert.equal(request.method, "POST");
  assert.equal(request.url, "https://business-api.tiktok.com/open_api/v1.3/business/message/send/");
  assert.deepEqual(request.headers, {
    "access-token": "act.token",
    "content-type": "application/json",
  });
  assert.deepEqual(JSON.parse(typeof request.body === "string" ? request.body : ""), {
    business_id: "-000biz+1",
    recipient_type: "CONVERSATION",
    recipient: "u5Jh+/==",
    message_type: "TEXT",
    text: { body: "hello" },
  });
});

test("6,000 characters are sent, an emoji counted as one; 6,001 are refused without a call", async () => {
  const http = platform(accepted);
  assert.equal((await tiktok.send(http, account, message("😀".repeat(6000)))).ok, true);
  const refused = await tiktok.send(http, account, message("x".repeat(6001)));
  assert.ok(!refused.ok);
  assert.deepEqual([refused.reason, refused.code], ["rejected", "TEXT_TOO_LONG"]);
  assert.equal(http.requests.length, 1);
});

test("a template is refused without a call: TikTok has none", async () => {
  const http = platform();
  const template = { name: "a", language: "en", bodyParameters: [] };
  const content = { kind: "template" as const, template };
  const refused = await tiktok.send(http, account, { id: "m", to: "c", content });
  assert.ok(!refused.ok);
  assert.deepEqual([refused.reason, refused.scope], ["rejected", "template"]);
  assert.equal(http.requests.length, 0);
});

for (const [sent, reason] of [
  [true, "unknown"],
  [false, "unreachable"],
] as const) {
  test(`no answer to a call that ${sent ? "left" : "never left"} is ${reason}`, async () => {
    const failure = new HttpFailure(sent ? "timeout" : "connect", sent, "no answer");
    const outcome = await tiktok.send(platform(failure), account, message("hello"));
    assert.ok(!outcome.ok);
    assert.equal(outcome.reason, reason);
  });
}

test("a challenge is returned; a call without one is refused", () => {
  assert.equal(tiktok.challenge?.({ challenge: "1158201444" }, account), "1158201444");
  assert.equal(tiktok.challenge?.({}, account), null);
});

for (const [given, wanted] of [
  ["https://business-api.tiktok.com", account.apiUrl],
  ["https://business-api.tiktok.com/open_api/v1.3/", account.apiUrl],
  ["http://127.0.0.1:4010/proxy", "http://127.0.0.1:4010/proxy/open_api/v1.3"],
  ["http://127.0.0.1:4010/open_api/v1.4", "http://127.0.0.1:4010/open_api/v1.4"],
  ["https://user:pw@host/", null],
  ["https://host/?a=1", null],
  ["ftp://host/", null],
  ["no address", null],
] as const) {
  test(`the base address ${given} is ${String(wanted)}`, () => {
    assert.equal(tiktokUrl(given), wanted);
  });
}
