import assert from "node:assert/strict";
import { test } from "node:test";
import type { Http, HttpRequest } from "../../../lib/http.ts";
import type { ChannelAccount, OutboundMessage, TemplateContent } from "../../adapter.ts";
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

const never: Http = { request: () => Promise.reject(new Error("called")) };

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
  // The lease of a text is 30 s.
  assert.ok((request.timeoutMs ?? Infinity) < 30_000);
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

test("an address that only looks like a user id is sent as it is", async () => {
  for (const to of ["xUS.134", "US.134-5"]) {
    const { body } = await sent({ id: "m", to, content: { kind: "text", text: "x" } });
    assert.equal((body as { to?: string }).to, to);
  }
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

const componentsOf = async (template: Partial<TemplateContent>) => {
  const content = { name: "t", language: "en", bodyParameters: [], ...template };
  const { body } = await sent({
    id: "m",
    to: "1",
    content: { kind: "template", template: content },
  });
  return (body as { template: { components?: unknown } }).template.components;
};

test("header, body and buttons of a template are sent in the documented forms", async () => {
  const buttons = [
    { index: 0, kind: "quick_reply", text: "CONFIRM" },
    { index: 1, kind: "url", text: "orders/17" },
    { index: 2, kind: "copy_code", text: "SALE25" },
  ] as const;
  const header = { kind: "text", text: "Sara" } as const;
  const button = (index: number, sub_type: string, parameter: object) => ({
    type: "button",
    sub_type,
    index: String(index),
    parameters: [parameter],
  });
  assert.deepEqual(await componentsOf({ header, bodyParameters: ["A-17"], buttons }), [
    { type: "header", parameters: [{ type: "text", text: "Sara" }] },
    { type: "body", parameters: [{ type: "text", text: "A-17" }] },
    button(0, "quick_reply", { type: "payload", payload: "CONFIRM" }),
    button(1, "url", { type: "text", text: "orders/17" }),
    button(2, "copy_code", { type: "coupon_code", coupon_code: "SALE25" }),
  ]);
  const named = { kind: "text", text: "Sara", name: "first_name" } as const;
  assert.deepEqual(await componentsOf({ header: named }), [
    { type: "header", parameters: [{ type: "text", parameter_name: "first_name", text: "Sara" }] },
  ]);
  const file = (kind: "image" | "document") =>
    componentsOf({ header: { kind, id: "17", fileName: "a.pdf" } });
  assert.deepEqual(await file("image"), [
    { type: "header", parameters: [{ type: "image", image: { id: "17" } }] },
  ]);
  const document = { id: "17", filename: "a.pdf" };
  assert.deepEqual(await file("document"), [
    { type: "header", parameters: [{ type: "document", document }] },
  ]);
});

test("each part of a template accepts what the document allows, and four spaces in a row", async () => {
  const button = (kind: "url" | "quick_reply" | "copy_code", length: number) => ({
    buttons: [{ index: 0, kind, text: "x".repeat(length) }],
  });
  const header = (length: number) => ({
    header: { kind: "text" as const, text: "x".repeat(length) },
  });
  const parts: readonly (readonly [Partial<TemplateContent>, Partial<TemplateContent>])[] = [
    [header(60), header(61)],
    [button("url", 2000), button("url", 2001)],
    [button("quick_reply", 256), button("quick_reply", 257)],
    [button("copy_code", 15), button("copy_code", 16)],
    [{ bodyParameters: ["a    b"] }, { bodyParameters: ["a     b"] }],
  ];
  for (const [fitting, over] of parts) {
    assert.notEqual(await componentsOf(fitting), undefined);
    const template = { name: "t", language: "en", bodyParameters: [], ...over };
    const content = { kind: "template", template } as const;
    const outcome = await whatsapp.send(never, account, { id: "m", to: "1", content });
    assert.ok(!outcome.ok);
    const { reason, code, scope } = outcome;
    assert.deepEqual(
      [reason, code, scope],
      ["rejected", "TEMPLATE_PARAMETER_INVALID", "recipient"],
    );
  }
});

test("a header's file that the platform no longer has is the template's trouble, another refusal is not", async () => {
  const image = { kind: "image", id: "17", fileName: "a.png" } as const;
  const text = { kind: "text", text: "Sara" } as const;
  const gone = "Param template['components'] media attachment ID 17 is not valid";
  const unknown = "header: Format mismatch, expected IMAGE, received UNKNOWN";
  for (const [header, code, details, wanted] of [
    [image, 100, gone, ["rejected", "MEDIA_GONE", "template"]],
    [image, 132012, unknown, ["rejected", "MEDIA_GONE", "template"]],
    [image, 131052, gone, ["rejected", "MEDIA_GONE", "template"]],
    [image, 131053, gone, ["rejected", "MEDIA_GONE", "template"]],
    [image, 100, "Invalid parameter", ["rejected", "100", "recipient"]],
    [image, 131026, gone, ["rejected", "131026", "recipient"]],
    [image, 131000, gone, ["unreachable", "131000", "recipient"]],
    [text, 100, gone, ["rejected", "100", "recipient"]],
    [undefined, 100, gone, ["rejected", "100", "recipient"]],
  ] as const) {
    const error = { message: "no", code, error_data: { details } };
    const http: Http = {
      request: () =>
        Promise.resolve({ status: 400, headers: {}, body: Buffer.from(JSON.stringify({ error })) }),
    };
    const template = { name: "t", language: "en", bodyParameters: [], ...(header && { header }) };
    const content = { kind: "template", template } as const;
    const outcome = await whatsapp.send(http, account, { id: "m", to: "1", content });
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.code, outcome.scope], wanted);
  }
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
