import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpFailure, type Http, type HttpRequest } from "../../../lib/http.ts";
import type { ChannelAccount, ChannelAdapter, FailedOutcome } from "../../adapter.ts";
import { instagram } from "../instagram/adapter.ts";
import { messenger } from "../messenger/adapter.ts";

const HOOK = "https://us.example/hooks/page";
const account = ({ type, defaultApiUrl }: ChannelAdapter): ChannelAccount => ({
  channelId: "c",
  workspaceId: "w",
  type,
  externalId: "1029384756",
  apiUrl: defaultApiUrl,
  settings: {},
  secrets: { accessToken: "tok-123" },
});

type Question = "check" | "subscribe" | "unsubscribe";
type Answer = number | string | HttpFailure;

/** Asks with a platform that gives these answers: an error's code, the text of a page, or nothing. */
async function ask(
  adapter: ChannelAdapter,
  question: Question,
  answer: Answer | null = null,
  status = answer === null ? 200 : 400,
): Promise<{ failure: FailedOutcome | null | undefined; request: HttpRequest | undefined }> {
  let request: HttpRequest | undefined;
  const http: Http = {
    request(given) {
      request = given;
      if (answer instanceof HttpFailure) return Promise.reject(answer);
      const document =
        answer === null ? { success: true } : { error: { message: "no", code: answer } };
      const body = Buffer.from(typeof answer === "string" ? answer : JSON.stringify(document));
      return Promise.resolve({ status, headers: {}, body });
    },
  };
  const failure = await (question === "subscribe"
    ? adapter.subscribe?.(http, account(adapter), HOOK, false)
    : question === "check"
      ? adapter.check?.(http, account(adapter))
      : adapter.unsubscribe?.(http, account(adapter), HOOK));
  return { failure, request };
}

/** What channels.md §3.2 and §4.2 describe. */
const FIELDS: readonly (readonly [ChannelAdapter, readonly string[]])[] = [
  [
    messenger,
    [
      "message_deliveries",
      "message_echoes",
      "message_edits",
      "message_reactions",
      "message_reads",
      "messages",
      "messaging_postbacks",
      "messaging_referrals",
    ],
  ],
  [
    instagram,
    [
      "message_edit",
      "message_reactions",
      "messages",
      "messaging_postbacks",
      "messaging_referral",
      "messaging_seen",
    ],
  ],
];
for (const [adapter, fields] of FIELDS) {
  test(`${adapter.type}: every field that we read is subscribed with the token, and unsubscribed again`, async () => {
    const { failure, request } = await ask(adapter, "subscribe");
    assert.equal(failure, null);
    const url = new URL(request?.url ?? "");
    assert.equal(url.origin + url.pathname, `${adapter.defaultApiUrl}/1029384756/subscribed_apps`);
    assert.deepEqual(url.searchParams.get("subscribed_fields")?.split(",").toSorted(), fields);
    assert.equal(request?.method, "POST");
    assert.equal(request.headers?.["authorization"], "Bearer tok-123");
    // Unsubscribed for one workspace, it would end for all with the account: it ends with the last of them.
    assert.equal(adapter.sharesSubscription, true);
    const back = await ask(adapter, "unsubscribe");
    assert.equal(back.failure, null);
    assert.equal(back.request?.method, "DELETE");
    assert.equal(back.request.url, `${adapter.defaultApiUrl}/1029384756/subscribed_apps`);
  });

  test(`${adapter.type}: only an answer about the token refuses it`, async () => {
    const asked = await ask(adapter, "check");
    assert.equal(asked.failure, null);
    // Messenger's last question carries the proof of the app's secret; Instagram's login has a secret of its own.
    const proof = adapter.type === "MESSENGER" ? /&appsecret_proof=[0-9a-f]{64}$/ : /fields=id$/;
    const url = asked.request?.url ?? "";
    assert.ok(url.startsWith(`${adapter.defaultApiUrl}/me?fields=id`) && proof.test(url), url);
    for (const code of [190, 102, 104]) {
      const { failure } = await ask(adapter, "check", code);
      assert.deepEqual([failure?.reason, failure?.code], ["misconfigured", String(code)]);
    }
    assert.equal((await ask(adapter, "check", "", 401)).failure?.code, "HTTP_401");
    for (const code of [10, 200, 100, 4, 2])
      assert.equal((await ask(adapter, "check", code)).failure, null);
    assert.equal((await ask(adapter, "check", "<html>", 502)).failure, null);
    assert.equal((await ask(adapter, "check", new HttpFailure("dns", false, ""))).failure, null);
  });

  test(`${adapter.type}: a subscription that cannot be made here stops nothing; a bad token and an outage do`, async () => {
    assert.equal((await ask(adapter, "subscribe", 100)).failure, null);
    for (const [answer, status, reason] of [
      [190, 401, "misconfigured"],
      [10, 403, "misconfigured"],
      [4, 400, "throttled"],
      [2, 500, "unreachable"],
      ["<html>", 302, "unreachable"],
      ["<html>", 502, "unknown"],
      [new HttpFailure("connect", false, ""), 0, "unreachable"],
    ] as const) {
      for (const question of ["subscribe", "unsubscribe"] as const)
        assert.equal((await ask(adapter, question, answer, status)).failure?.reason, reason);
    }
  });
}
