import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpFailure, type Http, type HttpRequest } from "../../../lib/http.ts";
import type { ChannelAccount, OutboundMessage, SendOutcome } from "../../adapter.ts";
import { instagram } from "../instagram/adapter.ts";
import { messenger } from "../messenger/adapter.ts";

const account = (type: "MESSENGER" | "INSTAGRAM", apiUrl: string): ChannelAccount => ({
  channelId: "c",
  workspaceId: "w",
  type,
  externalId: "1029384756",
  apiUrl,
  settings: {},
  secrets: { accessToken: "tok-123" },
});
const message: OutboundMessage = {
  id: "id-1",
  to: "254",
  content: { kind: "text", text: "hello" },
};
const FB = "https://graph.facebook.com/v25.0";

async function send(
  status: number,
  answer: unknown,
  more: Partial<OutboundMessage> = {},
  type: "MESSENGER" | "INSTAGRAM" = "MESSENGER",
  apiUrl = FB,
): Promise<{ outcome: SendOutcome; request: HttpRequest | undefined }> {
  let request: HttpRequest | undefined;
  const http: Http = {
    request(given) {
      request = given;
      if (answer instanceof Error) return Promise.reject(answer);
      const body = Buffer.from(typeof answer === "string" ? answer : JSON.stringify(answer));
      return Promise.resolve({ status, headers: {}, body });
    },
  };
  const adapter = type === "MESSENGER" ? messenger : instagram;
  const outcome = await adapter.send(http, account(type, apiUrl), { ...message, ...more });
  return { outcome, request };
}
const accepted = { recipient_id: "254", message_id: "m_AG5" };
function bodyOf(request: HttpRequest | undefined): unknown {
  assert.ok(typeof request?.body === "string");
  return JSON.parse(request.body);
}

test("Messenger sends a response with our id as its metadata; a person's late answer carries the tag", async () => {
  const { outcome, request } = await send(200, accepted);
  assert.deepEqual(outcome, { ok: true, externalId: "m_AG5", recipientId: "254" });
  assert.equal(request?.url, `${FB}/1029384756/messages`);
  assert.equal(request?.headers?.["authorization"], "Bearer tok-123");
  assert.deepEqual(bodyOf(request), {
    recipient: { id: "254" },
    messaging_type: "RESPONSE",
    message: { text: "hello", metadata: "id-1" },
  });
  const late = await send(200, accepted, { afterWindow: true });
  assert.deepEqual(bodyOf(late.request), {
    recipient: { id: "254" },
    messaging_type: "MESSAGE_TAG",
    tag: "HUMAN_AGENT",
    message: { text: "hello", metadata: "id-1" },
  });
});

test("Instagram sends text alone, to its own id or through the page's token to me", async () => {
  const own = await send(200, accepted, {}, "INSTAGRAM", "https://graph.instagram.com/v25.0");
  assert.equal(own.request?.url, "https://graph.instagram.com/v25.0/1029384756/messages");
  assert.deepEqual(bodyOf(own.request), { recipient: { id: "254" }, message: { text: "hello" } });
  const late = await send(200, accepted, { afterWindow: true }, "INSTAGRAM");
  assert.deepEqual(bodyOf(late.request), {
    recipient: { id: "254" },
    messaging_type: "MESSAGE_TAG",
    tag: "HUMAN_AGENT",
    message: { text: "hello" },
  });
  const page = await send(200, accepted, {}, "INSTAGRAM");
  assert.equal(page.request?.url, `${FB}/me/messages`);
});

/** Every row of channels.md §3.4, and answers that are not the platform's. */
const OUTCOMES: readonly (readonly [
  code: string,
  status: number,
  reason: string,
  own: string,
  scope?: string,
])[] = [
  ["10/2018278", 400, "rejected", "131047", "recipient"],
  ["10/2018065", 400, "rejected", "131047", "recipient"],
  ["10/2534022", 403, "rejected", "131047", "recipient"],
  ["10/2018108", 403, "rejected", "10", "recipient"],
  ["10/1893063", 403, "misconfigured", "10", "account"],
  ["10", 403, "misconfigured", "10", "account"],
  ["551/1545041", 400, "rejected", "551", "recipient"],
  ["200/1545041", 403, "rejected", "200", "recipient"],
  // One thread: another app has it, a form of Messenger's is being filled in, or its country has fewer features.
  ["10/2018300", 400, "rejected", "10", "recipient"],
  ["2018300", 400, "rejected", "2018300", "recipient"],
  ["100/2534037", 400, "rejected", "100", "recipient"],
  ["10/2018321", 400, "unreachable", "10", "recipient"],
  ["2018321", 400, "unreachable", "2018321", "recipient"],
  ["10/2018336", 400, "rejected", "10", "recipient"],
  // One person: stopped the notifications, sees no page, or was written to too often.
  ["10/1893015", 400, "rejected", "10", "recipient"],
  ["210", 403, "rejected", "210", "recipient"],
  ["613/2018338", 400, "rejected", "613", "recipient"],
  // The whole account, although 100 is mostly about one message.
  ["100/2534013", 400, "misconfigured", "100", "account"],
  ["100/2534029", 400, "misconfigured", "100", "account"],
  ["100/2018001", 400, "rejected", "100", "recipient"],
  ["100/33", 400, "rejected", "100", "recipient"],
  ["100", 400, "rejected", "100", "recipient"],
  ["36000", 400, "rejected", "36000", "recipient"],
  ["2018007", 500, "rejected", "2018007", "recipient"],
  ["2018047", 500, "rejected", "2018047", "recipient"],
  ["4", 403, "throttled", "4", "account"],
  ["4/2018022", 403, "throttled", "4", "account"],
  ["17", 400, "throttled", "17", "account"],
  ["32", 400, "throttled", "32", "account"],
  ["613", 400, "throttled", "613", "account"],
  ["80001", 400, "throttled", "80001", "account"],
  ["80002", 400, "throttled", "80002", "account"],
  ["80006", 400, "throttled", "80006", "account"],
  ["0", 400, "misconfigured", "0", "account"],
  ["104", 400, "misconfigured", "104", "account"],
  ["190/463", 401, "misconfigured", "190", "account"],
  ["102", 400, "misconfigured", "102", "account"],
  ["230", 403, "misconfigured", "230", "account"],
  ["299", 403, "misconfigured", "299", "account"],
  ["368", 403, "misconfigured", "368", "account"],
  ["1", 500, "unreachable", "1", "recipient"],
  ["1/1357046", 500, "unknown", "1", "recipient"],
  ["2", 500, "unreachable", "2", "recipient"],
  ["1200", 500, "unreachable", "1200", "recipient"],
  ["2001", 400, "rejected", "2001"],
  ["131200", 400, "rejected", "131200"],
  ["987654", 400, "rejected", "987654"],
  ["987654", 500, "unknown", "987654"],
];
for (const [code, status, reason, own, scope] of OUTCOMES) {
  test(`code ${code} with HTTP ${status} is ${reason}`, async () => {
    const [number, subcode] = code.split("/");
    const error = {
      message: `(#${number}) tok-123`,
      code: Number(number),
      ...(subcode && { error_subcode: Number(subcode) }),
    };
    for (const type of ["MESSENGER", "INSTAGRAM"] as const) {
      const { outcome } = await send(status, { error }, {}, type);
      assert.ok(!outcome.ok);
      assert.deepEqual([outcome.reason, outcome.code, outcome.scope], [reason, own, scope]);
      assert.doesNotMatch(outcome.detail, /tok-123/);
      assert.equal(outcome.retryAfterMs, reason === "throttled" ? 60_000 : undefined);
    }
  });
}

test("the window is recognised by its words when the subcode is unknown", async () => {
  for (const more of [{}, { error_subcode: 2534099 }]) {
    const error = { message: "This message is sent outside of allowed window.", code: 10, ...more };
    const { outcome } = await send(403, { error: { type: "IGApiException", ...error } });
    assert.ok(!outcome.ok);
    assert.deepEqual(
      [outcome.reason, outcome.code, outcome.scope],
      ["rejected", "131047", "recipient"],
    );
  }
});

test("that another app has the thread is recognised by its words too, and stops no account", async () => {
  for (const message of [
    "(#10) Message failed to send because another app is controlling this thread now.",
    "(#10) The app is not the thread owner",
    "Cannot send message: this app is not the owner of the thread",
  ]) {
    const { outcome } = await send(400, { error: { message, code: 10 } });
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.scope], ["rejected", "recipient"], message);
  }
});

test("a missing permission for the tag is about that answer, not about the account", async () => {
  for (const code of [10, 200]) {
    const { outcome } = await send(403, { error: { message: "no", code } }, { afterWindow: true });
    assert.ok(!outcome.ok && outcome.reason === "rejected");
  }
});

test("other refusals of an answer with the tag mean what they always mean", async () => {
  for (const [code, more, wanted] of [
    [10, { error_subcode: 1893063 }, ["misconfigured", "10", "account"]],
    [10, { error_subcode: 2018278 }, ["rejected", "131047", "recipient"]],
    [10, { error_subcode: 2018321 }, ["unreachable", "10", "recipient"]],
    [190, {}, ["misconfigured", "190", "account"]],
    [102, {}, ["misconfigured", "102", "account"]],
    [4, {}, ["throttled", "4", "account"]],
    [2, {}, ["unreachable", "2", "recipient"]],
    [131200, {}, ["rejected", "131200", undefined]],
  ] as const) {
    const error = { message: "no", code, ...more };
    const { outcome } = await send(400, { error }, { afterWindow: true });
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.code, outcome.scope], wanted);
  }
});

test("an answer from something in the platform's place is not the platform's; an error in a 200 is an error", async () => {
  for (const [status, answer, reason, code] of [
    [404, "<html>", "unreachable", "HTTP_404"],
    [429, "<html>", "throttled", "HTTP_429"],
    [502, "<html>", "unknown", "HTTP_502"],
    [200, "<html>", "unknown", "NO_MESSAGE_ID"],
    [200, { error: { message: "no", code: 551 } }, "rejected", "551"],
  ] as const) {
    const { outcome } = await send(status, answer);
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.code], [reason, code]);
  }
});

test("a file's answer is awaited while the platform fetches the file, a text's is not", async () => {
  const media = {
    kind: "video" as const,
    mimeType: "video/mp4",
    fileName: "a.mp4",
    size: 9,
    url: "https://shop.example/a.mp4",
    open: () => assert.fail("Instagram is given the address"),
  };
  const content = { kind: "media" as const, media, caption: null };
  const { request } = await send(200, accepted, { content }, "INSTAGRAM");
  assert.deepEqual(bodyOf(request), {
    recipient: { id: "254" },
    message: { attachment: { type: "video", payload: { url: media.url } } },
  });
  // The platform allows itself 75 s; the lease of a text is 30 s, that of a file 300.
  const wait = request?.timeoutMs ?? 0;
  assert.ok(wait > 75_000 && wait < 300_000);
  for (const type of ["MESSENGER", "INSTAGRAM"] as const) {
    const text = await send(200, accepted, {}, type);
    assert.ok((text.request?.timeoutMs ?? Infinity) < 30_000);
  }
});

test("an answer that proves nothing is unknown, and so is no answer after the request left", async () => {
  for (const answer of ["<html>", "", '{"recipient_id":"25', "{}"]) {
    const { outcome } = await send(200, answer);
    assert.ok(!outcome.ok && outcome.reason === "unknown", answer);
  }
  const lost = await send(0, new HttpFailure("timeout", true, ""));
  assert.ok(!lost.outcome.ok && lost.outcome.reason === "unknown");
  const refused = await send(0, new HttpFailure("connect", false, ""));
  assert.ok(!refused.outcome.ok && refused.outcome.reason === "unreachable");
});

test("a message too large for one send is refused without a call", async () => {
  const text = (length: number, letter = "x") => ({
    content: { kind: "text" as const, text: letter.repeat(length) },
  });
  for (const [type, fitting, over] of [
    ["MESSENGER", text(2000), text(2001)],
    ["INSTAGRAM", text(1000), text(1001)],
    ["INSTAGRAM", text(500, "ع"), text(501, "ع")],
  ] as const) {
    assert.ok((await send(200, accepted, fitting, type)).outcome.ok);
    const { outcome, request } = await send(200, accepted, over, type);
    assert.ok(!outcome.ok && outcome.code === "TEXT_TOO_LONG" && request === undefined);
  }
});

test("a template is refused without a call: neither has any", async () => {
  const template = { name: "t", language: "en", bodyParameters: [] };
  const content = { kind: "template" as const, template };
  for (const type of ["MESSENGER", "INSTAGRAM"] as const) {
    const { outcome, request } = await send(200, accepted, { content }, type);
    assert.ok(!outcome.ok && outcome.reason === "rejected" && request === undefined);
    assert.equal(outcome.code, "TEMPLATE_UNSUPPORTED");
  }
});
