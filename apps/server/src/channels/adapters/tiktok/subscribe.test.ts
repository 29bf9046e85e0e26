import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpFailure, type Http, type HttpRequest } from "../../../lib/http.ts";
import type { ChannelAccount } from "../../adapter.ts";
import { tiktok } from "./adapter.ts";

const account: ChannelAccount = {
  channelId: "c1",
  workspaceId: "w1",
  type: "TIKTOK",
  externalId: "-000biz+1",
  apiUrl: "https://business-api.tiktok.com/open_api/v1.3",
  settings: { appId: "7300000000000000000" },
  secrets: { accessToken: "act.token", appSecret: "tt-secret-1", refreshToken: "rft.one" },
};
const HOOK = "https://hub.example/hooks/tiktok/c1";
const APP = { app_id: "7300000000000000000", secret: "tt-secret-1", event_type: "DIRECT_MESSAGE" };

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
const ok = (data: object) => ({ code: 0, message: "OK", data });
const bodyOf = (request: HttpRequest | undefined): unknown =>
  JSON.parse(typeof request?.body === "string" ? request.body : "");
const pathOf = (request: HttpRequest | undefined) =>
  `${request?.method} ${request?.url.slice(account.apiUrl.length)}`;

test("the check asks for one conversation, with the account's id escaped, and for the app's address", async () => {
  const http = platform(ok({}));
  assert.equal(await tiktok.check?.(http, account), null);
  assert.deepEqual(http.requests.map(pathOf), [
    "GET /business/message/conversation/list/?business_id=-000biz%2B1&conversation_type=SINGLE&limit=1",
    "GET /business/webhook/list/?app_id=7300000000000000000&secret=tt-secret-1&event_type=DIRECT_MESSAGE",
  ]);
  const refused = await tiktok.check?.(platform({ code: 40105, message: "wrong" }), account);
  assert.deepEqual([refused?.reason, refused?.code], ["misconfigured", "40105"]);
});

test("a refused question says nothing of the account, as long as its token is taken", async () => {
  for (const [code, reason, field] of [
    ["40000", "unreachable", undefined],
    ["40002", "unreachable", undefined],
    ["40007", "unreachable", undefined],
    ["40001", "misconfigured", "businessId"],
    ["40105", "misconfigured", undefined],
  ] as const) {
    const answer = { code: Number(code), message: "x" };
    const checked = await tiktok.check?.(platform(answer), account);
    assert.deepEqual([checked?.reason, checked?.field], [reason, field], code);
    const set = await tiktok.subscribe?.(platform(answer), account, HOOK, true);
    assert.equal(set?.reason, reason, code);
  }
});

test("a person's connect with the app's id enters our address there, replacing any other", async () => {
  const http = platform();
  assert.equal(await tiktok.subscribe?.(http, account, HOOK, true), null);
  const [, update, ...more] = http.requests;
  assert.deepEqual([pathOf(update), more], ["POST /business/webhook/update/", []]);
  assert.deepEqual(bodyOf(update), { ...APP, callback_url: HOOK });
  // The app's own call: its secret is in the body; the account's token is not needed and not sent.
  assert.deepEqual(update?.headers, { "content-type": "application/json" });
  const expired = platform({ code: 40102, message: "expired" });
  assert.equal((await tiktok.subscribe?.(expired, account, HOOK, true))?.code, "40102");
  assert.equal(expired.requests.length, 1);
});

test("the hourly look leaves an existing address and enters ours where there is none", async () => {
  for (const [data, entered] of [
    [{ callback_url: "https://elsewhere.example/hook" }, 0],
    [{ callback_url: HOOK }, 0],
    [{}, 1],
  ] as const) {
    const http = platform(ok({}), ok(data));
    assert.equal(await tiktok.subscribe?.(http, account, HOOK, false), null);
    const updates = http.requests.filter(({ url }) => url.endsWith("/webhook/update/"));
    assert.equal(updates.length, entered, JSON.stringify(data));
  }
  const anonymous = platform();
  const nameless = { ...account, settings: {} };
  assert.equal(await tiktok.subscribe?.(anonymous, nameless, HOOK, true), null);
  assert.equal(anonymous.requests.length, 1);
});

test("disconnecting removes our address, and nobody else's", async () => {
  const http = platform(ok({ callback_url: HOOK }));
  assert.equal(await tiktok.unsubscribe?.(http, account, HOOK), null);
  assert.deepEqual(http.requests.map(pathOf), [
    "GET /business/webhook/list/?app_id=7300000000000000000&secret=tt-secret-1&event_type=DIRECT_MESSAGE",
    "POST /business/webhook/delete/",
  ]);
  assert.deepEqual(bodyOf(http.requests[1]), APP);
  const theirs = platform(ok({ callback_url: "https://elsewhere.example/hook" }));
  assert.equal(await tiktok.unsubscribe?.(theirs, account, HOOK), null);
  assert.equal(theirs.requests.length, 1);
  const refused = platform(ok({ callback_url: HOOK }), { code: 50000, message: "down" });
  assert.equal((await tiktok.unsubscribe?.(refused, account, HOOK))?.code, "50000");
  const nameless = platform();
  assert.equal(await tiktok.unsubscribe?.(nameless, { ...account, settings: {} }, HOOK), null);
  assert.equal(nameless.requests.length, 0);
});

const TOKENS = {
  access_token: "act.two",
  refresh_token: "rft.two",
  open_id: "-000biz+1",
  expires_in: 86_400,
  refresh_token_expires_in: 31_536_000,
  scope: "message.list.read,message.list.send",
  token_type: "Bearer",
};

test("a refresh is the app's call; both tokens are replaced, for as long as the answer says", async () => {
  const http = platform(ok(TOKENS));
  assert.deepEqual(await tiktok.refreshCredentials?.(http, account), {
    ok: true,
    secrets: { accessToken: "act.two", refreshToken: "rft.two" },
    expiresInMs: 86_400_000,
  });
  const [request] = http.requests;
  assert.equal(pathOf(request), "POST /tt_user/oauth2/refresh_token/");
  assert.deepEqual(request?.headers, { "content-type": "application/json" });
  assert.deepEqual(bodyOf(request), {
    client_id: "7300000000000000000",
    client_secret: "tt-secret-1",
    grant_type: "refresh_token",
    refresh_token: "rft.one",
  });
});

const REFUSALS: readonly (readonly [
  name: string,
  account: ChannelAccount,
  answer: object | HttpFailure,
  reason: string,
  code: string,
])[] = [
  [
    "no refresh token",
    { ...account, secrets: { accessToken: "a", appSecret: "b" } },
    ok(TOKENS),
    "rejected",
    "NO_REFRESH_TOKEN",
  ],
  ["no app id", { ...account, settings: {} }, ok(TOKENS), "rejected", "NO_REFRESH_TOKEN"],
  ["an ended refresh token", account, { code: 40103, message: "x" }, "misconfigured", "40103"],
  ["a used refresh token", account, { code: 40107, message: "x" }, "misconfigured", "40107"],
  ["another account's", account, ok({ ...TOKENS, open_id: "biz-2" }), "rejected", "WRONG_ACCOUNT"],
  ["an answer without a token", account, ok({}), "rejected", "NO_ACCESS_TOKEN"],
  ["an outage", account, { code: 50000, message: "x" }, "unreachable", "50000"],
  [
    "no answer",
    account,
    new HttpFailure("timeout", true, "no answer"),
    "unknown",
    "NETWORK_TIMEOUT",
  ],
];
for (const [name, given, answer, reason, code] of REFUSALS) {
  test(`a refresh with ${name} is ${reason} and repeats no secret`, async () => {
    const outcome = await tiktok.refreshCredentials?.(platform(answer), given);
    assert.ok(outcome && !outcome.ok);
    assert.deepEqual([outcome.reason, outcome.code], [reason, code]);
    assert.doesNotMatch(outcome.detail, /rft\.|tt-secret/);
  });
}
