import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpFailure, type Http } from "../../../lib/http.ts";
import type { ChannelAccount } from "../../adapter.ts";
import { instagram } from "./adapter.ts";

const account = (apiUrl: string): ChannelAccount => ({
  channelId: "c",
  workspaceId: "w",
  type: "INSTAGRAM",
  externalId: "17841400001001",
  apiUrl,
  settings: {},
  secrets: { accessToken: "IGQVJ/old+token", appSecret: "s" },
});

async function refresh(status: number, body: string | Error, apiUrl = instagram.defaultApiUrl) {
  const urls: string[] = [];
  const http: Http = {
    request({ method, url }) {
      urls.push(`${method} ${url}`);
      if (body instanceof Error) return Promise.reject(body);
      return Promise.resolve({ status, headers: {}, body: Buffer.from(body) });
    },
  };
  return { urls, outcome: await instagram.refreshCredentials?.(http, account(apiUrl)) };
}

test("the documented address, without a version; the answer's token and its seconds", async () => {
  const { urls, outcome } = await refresh(
    200,
    '{"access_token":"c3oxd","token_type":"bearer","expires_in":5183944}',
  );
  assert.deepEqual(urls, [
    "GET https://graph.instagram.com/refresh_access_token?grant_type=ig_refresh_token&access_token=IGQVJ%2Fold%2Btoken",
  ]);
  assert.deepEqual(outcome, {
    ok: true,
    secrets: { accessToken: "c3oxd" },
    expiresInMs: 5_183_944_000,
  });
});

test("a token without an end does not end as far as we know; a token in a refusal does not count", async () => {
  for (const seconds of ["", ',"expires_in":0', ',"expires_in":-1', ',"expires_in":"soon"']) {
    const { outcome } = await refresh(200, `{"access_token":"c3oxd"${seconds}}`);
    assert.ok(outcome?.ok);
    assert.equal(outcome.expiresInMs, null);
  }
  const { outcome } = await refresh(400, '{"access_token":"c3oxd","error":{"code":190}}');
  assert.ok(outcome && !outcome.ok);
});

test("a page's token on graph.facebook.com does not end: nobody is asked", async () => {
  const { urls, outcome } = await refresh(200, "{}", "https://graph.facebook.com/v25.0");
  assert.deepEqual([urls, outcome], [[], null]);
});

for (const [what, status, body, reason] of [
  [
    "a token that ended",
    400,
    '{"error":{"code":190,"error_subcode":463,"message":"IGQVJ/old+token"}}',
    "misconfigured",
  ],
  ["a permission that is gone", 400, '{"error":{"code":10,"message":"m"}}', "misconfigured"],
  ["an outage", 500, '{"error":{"code":2,"message":"m","is_transient":true}}', "unreachable"],
  ["a limit", 400, '{"error":{"code":4,"message":"m"}}', "throttled"],
  ["an answer without a token", 200, "{}", "unknown"],
  ["a page", 200, "<html>", "unknown"],
] as const) {
  test(`${what} is ${reason}, and none of its words contains the token`, async () => {
    const { outcome } = await refresh(status, body);
    assert.ok(outcome && !outcome.ok);
    assert.equal(outcome.reason, reason);
    assert.doesNotMatch(JSON.stringify(outcome), /IGQVJ/);
  });
}

test("no answer is a value too", async () => {
  const { outcome } = await refresh(0, new HttpFailure("timeout", true, "t"));
  assert.ok(outcome && !outcome.ok && outcome.code === "NETWORK_TIMEOUT");
});
