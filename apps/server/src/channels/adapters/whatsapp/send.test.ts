import assert from "node:assert/strict";
import { test } from "node:test";
import type { Http, HttpRequest } from "../../../lib/http.ts";
import type { ChannelAccount, OutboundMessage } from "../../adapter.ts";
import { whatsapp } from "./adapter.ts";

const account: ChannelAccount = {
  channelId: "c1",
  workspaceId: "w1",
  type: "WHATSAPP",
  externalId: "106540352242922",
  apiUrl: "https://graph.facebook.com/v25.0",
  settings: { wabaId: "102290129340398" },
  secrets: { accessToken: "EAAB", appSecret: "s", verifyToken: "v" },
};

async function sent(message: OutboundMessage): Promise<{ request: HttpRequest; body: unknown }> {
  const requests: HttpRequest[] = [];
  const http: Http = {
    request(request) {
      requests.push(request);
      const body = Buffer.from(
        '{"contacts":[{"wa_id":"96550000001"}],"messages":[{"id":"wamid.1"}]}',
      );
      return Promise.resolve({ status: 200, headers: {}, body });
    },
  };
  const outcome = await whatsapp.send(http, account, message);
  assert.deepEqual(outcome, { ok: true, externalId: "wamid.1", recipientId: "96550000001" });
  const [request] = requests;
  assert.ok(request && requests.length === 1);
  assert.ok(typeof request.body === "string");
  return { request, body: JSON.parse(request.body) };
}

test("a text is one POST with the token in its header and the body of the document", async () => {
  const { request, body } = await sent({
    id: "msg-1",
    to: "96550000001",
    content: { kind: "text", text: "hello" },
  });
  assert.equal(request.method, "POST");
  assert.equal(request.url, "https://graph.facebook.com/v25.0/106540352242922/messages");
  assert.deepEqual(request.headers, {
    authorization: "Bearer EAAB",
    "content-type": "application/json",
  });
  assert.deepEqual(body, {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    to: "96550000001",
    type: "text",
    text: { preview_url: false, body: "hello" },
    biz_opaque_callback_data: "msg-1",
  });
});

for (const userId of ["US.13491208655302741918", "US.ENT.1134912086"]) {
  test(`the user id ${userId} is addressed as recipient`, async () => {
    const { body } = await sent({ id: "m", to: userId, content: { kind: "text", text: "x" } });
    assert.deepEqual(body, {
      messaging_product: "whatsapp",
      recipient_type: "individual",
      recipient: userId,
      type: "text",
      text: { preview_url: false, body: "x" },
      biz_opaque_callback_data: "m",
    });
  });
}

test("a template with numbered parameters", async () => {
  const template = { name: "order_update", language: "ar", bodyParameters: ["Sara", "A-17"] };
  const { body } = await sent({
    id: "m2",
    to: "96550000001",
    content: { kind: "template", template },
  });
  assert.deepEqual(body, {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    to: "96550000001",
    type: "template",
    template: {
      name: "order_update",
      language: { code: "ar", policy: "deterministic" },
      components: [
        {
          type: "body",
          parameters: [
            { type: "text", text: "Sara" },
            { type: "text", text: "A-17" },
          ],
        },
      ],
    },
    biz_opaque_callback_data: "m2",
  });
});

test("a template with named parameters names each", async () => {
  const template = {
    name: "hi",
    language: "en_US",
    bodyParameters: ["Sara", "today"],
    bodyParameterNames: ["first_name", "day"],
  };
  const { body } = await sent({ id: "m", to: "1", content: { kind: "template", template } });
  assert.deepEqual((body as { template: unknown }).template, {
    name: "hi",
    language: { code: "en_US", policy: "deterministic" },
    components: [
      {
        type: "body",
        parameters: [
          { type: "text", parameter_name: "first_name", text: "Sara" },
          { type: "text", parameter_name: "day", text: "today" },
        ],
      },
    ],
  });
});

test("a template without parameters has no components", async () => {
  const template = { name: "hello_world", language: "en_US", bodyParameters: [] };
  const { body } = await sent({ id: "m", to: "1", content: { kind: "template", template } });
  assert.deepEqual((body as { template: unknown }).template, {
    name: "hello_world",
    language: { code: "en_US", policy: "deterministic" },
  });
});

test("4,096 emoji are 4,096 characters", async () => {
  const text = "\u{1F600}".repeat(4096);
  const { body } = await sent({ id: "m", to: "1", content: { kind: "text", text } });
  assert.equal((body as { text: { body: string } }).text.body, text);
});

const never: Http = { request: () => Promise.reject(new Error("called")) };
const REFUSED: readonly (readonly [string, OutboundMessage["content"], string, string])[] = [
  [
    "a text of 4,097 characters",
    { kind: "text", text: "x".repeat(4097) },
    "TEXT_TOO_LONG",
    "recipient",
  ],
  [
    "a template that needs a header picture",
    {
      kind: "template",
      template: {
        name: "t",
        language: "en",
        bodyParameters: [],
        unmetParameters: ["header image"],
      },
    },
    "TEMPLATE_PARAMETERS_MISSING",
    "template",
  ],
  [
    "a parameter with a line break",
    { kind: "template", template: { name: "t", language: "en", bodyParameters: ["a", "b\nc"] } },
    "TEMPLATE_PARAMETER_INVALID",
    "recipient",
  ],
  [
    "a parameter with five spaces",
    { kind: "template", template: { name: "t", language: "en", bodyParameters: ["a     b"] } },
    "TEMPLATE_PARAMETER_INVALID",
    "recipient",
  ],
];
for (const [name, content, code, scope] of REFUSED) {
  test(`${name} is refused without a call`, async () => {
    const outcome = await whatsapp.send(never, account, { id: "m", to: "1", content });
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.code, outcome.scope], ["rejected", code, scope]);
  });
}
