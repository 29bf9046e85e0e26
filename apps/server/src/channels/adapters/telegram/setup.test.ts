import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiMethods, Update } from "grammy/types";
import { HttpFailure, type Http } from "../../../lib/http.ts";
import type { ChannelAccount, InboundEvent } from "../../adapter.ts";
import { telegram } from "./adapter.ts";
import { telegramUpdates } from "./updates.ts";

const HOOK = "https://parley.example/hooks/telegram/0190";
const account: ChannelAccount = {
  channelId: "0190",
  workspaceId: "w1",
  type: "TELEGRAM",
  externalId: "987",
  apiUrl: "https://api.telegram.org",
  settings: {},
  secrets: { botToken: "987:AA", secretToken: "s3cret" },
};
const polled: ChannelAccount = { ...account, settings: { polling: "true" } };

/** The parameters of a method as the published description of the Bot API types them. */
type Given<M extends keyof ApiMethods> = Parameters<ApiMethods[M]>[0];

type Results = Readonly<Record<string, unknown>>;
const ME = { id: 987, is_bot: true, first_name: "Shop", username: "shop_bot" };
const good = (url = ""): Results => ({
  getMe: ME,
  getWebhookInfo: { url, has_custom_certificate: false, pending_update_count: 0 },
  setWebhook: true,
  deleteWebhook: true,
});

/** A Bot API that answers with `results`; an Error or a number among them is a failure. */
function api(results: Results): { http: Http; calls: (readonly [string, unknown])[] } {
  const calls: (readonly [string, unknown])[] = [];
  const http: Http = {
    request({ url, body }) {
      const method = url.split("/").at(-1) ?? "";
      calls.push([method, JSON.parse(typeof body === "string" ? body : "")]);
      const result = results[method];
      if (result instanceof Error) return Promise.reject(result);
      const status = typeof result === "number" ? result : 200;
      const answer =
        status === 200
          ? { ok: true, result }
          : { ok: false, error_code: status, description: `Error ${status}` };
      return Promise.resolve({ status, headers: {}, body: Buffer.from(JSON.stringify(answer)) });
    },
  };
  return { http, calls };
}

const WEBHOOK = {
  url: HOOK,
  secret_token: "s3cret",
  allowed_updates: ["message", "edited_message", "callback_query", "my_chat_member"],
} satisfies Given<"setWebhook">;

test("a bot gets our webhook with its secret and the kinds that we read", async () => {
  for (const url of ["", HOOK]) {
    const { http, calls } = api(good(url));
    assert.equal(await telegram.subscribe?.(http, account, HOOK, false), null);
    assert.deepEqual(calls, [
      ["getMe", {}],
      ["getWebhookInfo", {}],
      ["setWebhook", WEBHOOK],
    ]);
  }
});

test("an emulator may answer every token with one bot", async () => {
  const { http, calls } = api({ ...good(), getMe: { ...ME, id: 666 } });
  assert.equal(await telegram.check?.(http, account), null);
  assert.equal(await telegram.subscribe?.(http, account, HOOK, true), null);
  assert.deepEqual(calls.at(-1), ["setWebhook", WEBHOOK]);
});

test("a polled bot has its webhook removed, and nothing is done when there is none", async () => {
  const set = api(good(HOOK));
  assert.equal(await telegram.subscribe?.(set.http, polled, HOOK, false), null);
  assert.deepEqual(set.calls.at(-1), ["deleteWebhook", {}]);
  const none = api(good());
  assert.equal(await telegram.subscribe?.(none.http, polled, HOOK, false), null);
  assert.equal(none.calls.length, 2);
});

test("a connect sets the webhook on a server that cannot say which one there is", async () => {
  const { http, calls } = api({ ...good(), getWebhookInfo: 404 });
  assert.equal(await telegram.subscribe?.(http, account, HOOK, true), null);
  assert.deepEqual(calls.at(-1), ["setWebhook", WEBHOOK]);
  const later = await telegram.subscribe?.(http, account, HOOK, false);
  assert.deepEqual([later?.reason, later?.code], ["unreachable", "404"]);
});

test("somebody else's webhook is left alone unless a person connects the bot", async () => {
  for (const one of [account, polled]) {
    // The same channel at another address: perhaps a copy of this installation.
    const { http, calls } = api(good(HOOK.replace("parley", "elsewhere")));
    const taken = await telegram.subscribe?.(http, one, HOOK, false);
    assert.deepEqual([taken?.code, taken?.sends], ["WEBHOOK_TAKEN", true]);
    assert.equal(calls.length, 2);
    assert.equal(await telegram.subscribe?.(http, one, HOOK, true), null);
    const gone = api(good("https://elsewhere.example/x"));
    assert.equal(await telegram.unsubscribe?.(gone.http, one, HOOK), null);
    assert.deepEqual(gone.calls, [["getWebhookInfo", {}]]);
  }
  const ours = api(good(HOOK));
  assert.equal(await telegram.unsubscribe?.(ours.http, account, HOOK), null);
  assert.deepEqual(ours.calls.at(-1), ["deleteWebhook", {}]);
});

test("an http address is refused before Telegram is asked to call it; another Bot API server may take it", async () => {
  const { http, calls } = api(good());
  const hook = HOOK.replace("https", "http");
  const refused = await telegram.subscribe?.(http, account, hook, true);
  assert.deepEqual(
    [refused?.reason, refused?.code, calls.length],
    ["rejected", "WEBHOOK_NEEDS_HTTPS", 1],
  );
  assert.equal(await telegram.subscribe?.(http, polled, hook, true), null);
  const own = { ...account, apiUrl: "http://127.0.0.1:8081" };
  assert.equal(await telegram.subscribe?.(http, own, hook, true), null);
});

const FAILURES: readonly (readonly [string, Results, reason: string, code: string])[] = [
  ["a revoked token", { ...good(), getMe: 401 }, "misconfigured", "401"],
  ["a malformed token", { ...good(), getMe: 404 }, "misconfigured", "404"],
  ["a throttle", { ...good(), setWebhook: 429 }, "throttled", "429"],
  ["a server that knows no webhooks", { ...good(), setWebhook: 404 }, "unreachable", "404"],
  ["a webhook that is refused", { ...good(), setWebhook: 400 }, "rejected", "400"],
  ["an outage", { ...good(), getMe: 502 }, "unknown", "502"],
  [
    "no connection",
    { ...good(), getMe: new HttpFailure("connect", false, "x") },
    "unreachable",
    "NETWORK_CONNECT",
  ],
];
for (const [name, results, reason, code] of FAILURES) {
  test(`connecting with ${name} is ${reason}, without the token in it`, async () => {
    const failure = await telegram.subscribe?.(api(results).http, account, HOOK, true);
    assert.deepEqual([failure?.reason, failure?.code], [reason, code]);
    assert.equal(failure?.sends ?? false, reason === "rejected", "the token was proven");
    assert.equal(JSON.stringify(failure).includes("987:AA"), false);
  });
}

test("updates are asked for from the position, and the next position follows the last update", async () => {
  const at = { date: 1441645532, chat: { id: 5, type: "private", first_name: "S" } } as const;
  const from = { id: 5, is_bot: false, first_name: "S" };
  const updates = [
    { update_id: 70, message: { ...at, message_id: 1, from, text: "one" } },
    {
      update_id: 71,
      edited_message: { ...at, edit_date: 1441645533, message_id: 1, from, text: "two" },
    },
  ] satisfies Update[];
  const { http, calls } = api({ getUpdates: updates });
  const options = { waitMs: 25_900, receivedAt: new Date(), signal: new AbortController().signal };
  const first = await telegramUpdates.poll(http, polled, 0, options);
  assert.ok(first.ok);
  assert.equal(first.position, 72);
  assert.deepEqual(
    first.events.map(({ kind }) => kind),
    ["message", "edited"],
  );
  const asked = {
    limit: 100,
    timeout: 25,
    allowed_updates: ["message", "edited_message", "callback_query", "my_chat_member"],
  } satisfies Given<"getUpdates">;
  assert.deepEqual(calls[0], ["getUpdates", asked]);
  const idle = await telegramUpdates.poll(api({ getUpdates: [] }).http, polled, 72, options);
  assert.deepEqual(idle, { ok: true, events: [], position: 72 });
  await telegramUpdates.poll(http, polled, 72, options);
  assert.deepEqual(calls[1], ["getUpdates", { offset: 72, ...asked }]);
  for (const [result, reason] of [
    [409, "unreachable"],
    [401, "misconfigured"],
    [true, "unknown"],
  ] as const) {
    const failed = await telegramUpdates.poll(api({ getUpdates: result }).http, polled, 0, options);
    assert.ok(!failed.ok);
    assert.equal(failed.reason, reason);
  }
});

test("a pressed button is answered, anything else is not, and a failure is a value", async () => {
  const press = (id: string): InboundEvent => ({
    kind: "message",
    accountExternalId: "987",
    externalMessageId: id,
    from: { externalId: "5", phone: null, name: null },
    occurredAt: new Date(),
    content: { type: "button", text: "Yes", attachments: [] },
    opensWindow: true,
  });
  const { http, calls } = api({ answerCallbackQuery: true });
  const failures = await telegram.acknowledge?.(http, account, [
    press("callback:77"),
    press("5:1"),
  ]);
  assert.deepEqual(failures, []);
  const parameters = { callback_query_id: "77" } satisfies Given<"answerCallbackQuery">;
  assert.deepEqual(calls, [["answerCallbackQuery", parameters]]);
  const late = api({ answerCallbackQuery: 400 });
  const codes = await telegram.acknowledge?.(late.http, account, [press("callback:78")]);
  assert.deepEqual(
    codes?.map(({ code }) => code),
    ["400"],
  );
});
