import assert from "node:assert/strict";
import { test } from "node:test";
import type { InboundEvent } from "../../adapter.ts";
import { tiktok } from "./adapter.ts";

const BUSINESS = "biz-123";
const receivedAt = new Date("2024-11-26T12:00:05.000Z");
/** channels.md §6.4: `timestamp` in ms, `create_time` in s. */
const AT = 1_732_622_400_123;

function parse(event: string, content: unknown, envelope: object = {}): InboundEvent[] {
  const document = {
    client_key: "7300000000000000000",
    event,
    create_time: 1_732_622_400,
    user_openid: BUSINESS,
    content: typeof content === "string" ? content : JSON.stringify(content),
    ...envelope,
  };
  const body = Buffer.from(JSON.stringify(document));
  return tiktok.parse({ body, headers: {}, query: {}, receivedAt }, { externalId: BUSINESS });
}

/** The document's sample. */
const MESSAGE = {
  conversation_id: "u5Jh+/==",
  message_id: "7431000000000000001",
  timestamp: AT,
  type: "text",
  text: { body: "hi" },
  from: "customer.name",
  from_user: { id: "user-A", role: "personal_account" },
  to: "shop",
  to_user: { id: BUSINESS, role: "business_account" },
  unique_identifier: "MS4wLjABuserA",
  scene_type: 1,
  is_follower: false,
  message_tag: { source: "APP" },
};
const ECHO = {
  ...MESSAGE,
  from: "shop",
  from_user: MESSAGE.to_user,
  to: "customer.name",
  to_user: MESSAGE.from_user,
  message_tag: { source: "API" },
};

test("an inbound text: JSON in a string, the conversation beside the customer", () => {
  assert.deepEqual(parse("im_receive_msg", MESSAGE), [
    {
      kind: "message",
      accountExternalId: BUSINESS,
      externalMessageId: "7431000000000000001",
      threadId: "u5Jh+/==",
      from: {
        externalId: "user-A",
        phone: null,
        name: "customer.name",
        alternateId: "MS4wLjABuserA",
      },
      occurredAt: new Date(AT),
      content: { type: "text", text: "hi", attachments: [] },
      opensWindow: true,
    },
  ]);
});

type Row = readonly [
  name: string,
  content: object,
  wanted: {
    type: string;
    text: string | null;
    attachments: readonly object[];
    media?: readonly object[];
    opens: boolean;
  },
];
const file = { attachment: 0, mimeType: null, fileName: null, size: null };
const quoted = { referenced_message_info: { referenced_message_id: "7431" } };
const unsupported = (originalType: string, opens: boolean) => ({
  type: "unsupported",
  text: null,
  attachments: [{ type: "unsupported", originalType }],
  opens,
});
/** One entry of `reaction`. */
const reaction = (more: object) => ({
  operation: "ADD",
  type: "EMOJI",
  emoji: "👍",
  unique_identifier: "MS4wLjABuserA",
  timestamp: 1_719_447_205_701,
  original_msg_id: "7431",
  ...more,
});
const CARD = {
  type: "template",
  text: "How can we help?\n• Track my order\n• Talk to a human",
  attachments: [
    {
      type: "template",
      title: "How can we help?",
      buttons: [
        { text: "Track my order", payload: "track" },
        { text: "Talk to a human", payload: "human" },
      ],
    },
  ],
};
/** `referral` of `im_referral_msg` (TikTok, "Webhook Events"; the test of a public adapter has the same). */
const ADVERTISED = {
  source: "ad",
  ad: {
    advertiser_id: "adv_1",
    ad_id: "1801",
    timestamp: AT,
    ad_name: "Spring sale",
    embed_url: "https://www.tiktok.com/player/v1/1",
    message_material_id: "mat_1",
  },
};
const REFERRAL = {
  type: "referral",
  source: "ad",
  adId: "1801",
  advertiserId: "adv_1",
  creativeId: "mat_1",
  headline: "Spring sale",
  url: "https://www.tiktok.com/player/v1/1",
};
const CONTENTS: readonly Row[] = [
  [
    "Arabic and emoji",
    { text: { body: "مرحبا 😀" } },
    { type: "text", text: "مرحبا 😀", attachments: [], opens: true },
  ],
  [
    "an upper-case type, as the lists have it",
    { type: "TEXT", text: { body: "hi" } },
    { type: "text", text: "hi", attachments: [], opens: true },
  ],
  [
    "a quote",
    quoted,
    { type: "text", text: "hi", attachments: [{ type: "quote", messageId: "7431" }], opens: true },
  ],
  [
    "an image",
    { type: "image", image: { media_id: "v0201" } },
    {
      type: "image",
      text: null,
      attachments: [{ type: "image", id: "v0201" }],
      media: [{ ...file, kind: "image", source: { id: "u5Jh+/== 7431000000000000001 v0201" } }],
      opens: true,
    },
  ],
  [
    "a video",
    { type: "video", video: { media_id: "v0202" } },
    {
      type: "video",
      text: null,
      attachments: [{ type: "video", id: "v0202" }],
      media: [{ ...file, kind: "video", source: { id: "u5Jh+/== 7431000000000000001 v0202" } }],
      opens: true,
    },
  ],
  [
    "an image without an id, which cannot be fetched",
    { type: "image", image: {} },
    { type: "image", text: null, attachments: [{ type: "image" }], opens: true },
  ],
  [
    "a shared post",
    {
      type: "share_post",
      share_post: { embed_url: "https://www.tiktok.com/player/v1/9", video_id: "9" },
    },
    {
      type: "share_post",
      text: null,
      attachments: [
        { type: "share_post", url: "https://www.tiktok.com/player/v1/9", videoId: "9" },
      ],
      opens: true,
    },
  ],
  [
    "a sticker without more",
    { type: "sticker" },
    { type: "sticker", text: null, attachments: [{ type: "sticker" }], opens: true },
  ],
  [
    "a sticker with its address",
    { type: "sticker", sticker: { url: "https://p16.example/s.webp?x-expires=1" } },
    {
      type: "sticker",
      text: null,
      attachments: [{ type: "sticker" }],
      media: [
        { ...file, kind: "sticker", source: { url: "https://p16.example/s.webp?x-expires=1" } },
      ],
      opens: true,
    },
  ],
  // Emoji, reactions and cards: TikTok, "Webhook Events", content of `im_receive_msg` and `im_send_msg`, with the values
  // of a public chat adapter's tests; cards of lists: promobase/ad-platform-sdks, packages/tiktok-business-sdk.
  [
    "an emoji, which is a picture",
    { type: "emoji", emoji: { url: "https://p16.example/e.webp" } },
    {
      type: "sticker",
      text: null,
      attachments: [{ type: "sticker" }],
      media: [{ ...file, kind: "sticker", source: { url: "https://p16.example/e.webp" } }],
      opens: true,
    },
  ],
  [
    "an emoji without an address",
    { type: "emoji", emoji: {} },
    { type: "sticker", text: null, attachments: [{ type: "sticker" }], opens: true },
  ],
  [
    "a reaction",
    { type: "reaction", reaction: [reaction({})] },
    {
      type: "reaction",
      text: "👍",
      attachments: [{ type: "reaction", messageId: "7431", emoji: "👍" }],
      opens: false,
    },
  ],
  [
    "a reaction that was taken back",
    { type: "reaction", reaction: [reaction({ operation: "REMOVE" })] },
    {
      type: "reaction",
      text: null,
      attachments: [{ type: "reaction", messageId: "7431" }],
      opens: false,
    },
  ],
  [
    "an emoji for another",
    { type: "reaction", reaction: [reaction({ operation: "REMOVE" }), reaction({ emoji: "🎉" })] },
    {
      type: "reaction",
      text: "🎉",
      attachments: [
        { type: "reaction", messageId: "7431" },
        { type: "reaction", messageId: "7431", emoji: "🎉" },
      ],
      opens: false,
    },
  ],
  [
    "a reaction that is a picture",
    {
      type: "reaction",
      reaction: [
        reaction({
          type: "AI_EMOJI",
          emoji: undefined,
          ai_emoji_url: "https://p16.example/ai.png",
        }),
      ],
    },
    {
      type: "reaction",
      text: "🖼",
      attachments: [
        { type: "reaction", messageId: "7431", emoji: "🖼", url: "https://p16.example/ai.png" },
      ],
      opens: false,
    },
  ],
  [
    "a reaction whose picture is no address",
    {
      type: "reaction",
      reaction: [reaction({ emoji: undefined, ai_emoji_url: "javascript:alert(1)" })],
    },
    {
      type: "reaction",
      text: "🖼",
      // Passed on as told; receive-events.test.ts tests what is dropped for all.
      attachments: [
        { type: "reaction", messageId: "7431", emoji: "🖼", url: "javascript:alert(1)" },
      ],
      opens: false,
    },
  ],
  [
    "a reaction without more",
    { type: "reaction" },
    { type: "reaction", text: null, attachments: [], opens: false },
  ],
  [
    "a card with buttons",
    {
      type: "template",
      template: {
        type: "qa_button_card",
        elements: [
          {
            title: "How can we help?",
            buttons: [
              { text: "Track my order", type: "REPLY", id: "track" },
              { text: "Talk to a human", type: "REPLY", id: "human" },
            ],
          },
        ],
      },
    },
    { ...CARD, opens: true },
  ],
  [
    "a card as the lists have it",
    {
      type: "template",
      template: {
        type: "QA_BUTTON_CARD",
        title: "How can we help?",
        buttons: [
          { type: "REPLY", title: "Track my order", id: "track" },
          { type: "REPLY", title: "Talk to a human", id: "human" },
        ],
      },
    },
    { ...CARD, opens: true },
  ],
  [
    "a card without words",
    { type: "template" },
    { type: "template", text: null, attachments: [{ type: "template" }], opens: true },
  ],
  [
    "a message beside the advertisement that it came by",
    { referral: ADVERTISED },
    { type: "text", text: "hi", attachments: [REFERRAL], opens: true },
  ],
  ["a type of next year", { type: "hologram", hologram: 1 }, unsupported("hologram", false)],
  ["no type", { type: undefined }, unsupported("unsupported", false)],
  ["a type that is a name of Object", { type: "constructor" }, unsupported("constructor", false)],
  [
    "a text that is none",
    { text: "hi" },
    { type: "text", text: null, attachments: [], opens: true },
  ],
];
for (const [name, content, { opens, ...wanted }] of CONTENTS) {
  test(`content: ${name}`, () => {
    const [event] = parse("im_receive_msg", { ...MESSAGE, ...content });
    assert.ok(event?.kind === "message");
    assert.deepEqual(event.content, wanted);
    assert.equal(event.opensWindow, opens);
  });
}

test("a customer who came by an advertisement and has not written: a repeat gives the same, and no window opens", () => {
  const { message_id: _, type: __, text: ___, ...arrival } = MESSAGE;
  const told = () => parse("im_referral_msg", { ...arrival, referral: ADVERTISED });
  const [event, ...more] = told();
  assert.ok(event?.kind === "message" && more.length === 0 && !event.opensWindow);
  assert.deepEqual(event.content, { type: "referral", text: null, attachments: [REFERRAL] });
  assert.deepEqual([event.threadId, event.from.externalId], ["u5Jh+/==", "user-A"]);
  assert.deepEqual(told(), [event]);
  const link = { source: "short_link", short_link: { ref: "promo=42", prefilled_message: "hi" } };
  const [linked] = parse("im_referral_msg", { ...arrival, referral: link });
  assert.ok(linked?.kind === "message" && linked.externalMessageId !== event.externalMessageId);
  const came = { type: "referral", source: "short_link", ref: "promo=42" };
  assert.deepEqual(linked.content.attachments, [came]);
});

test("a customer without a user id is known by the unique identifier", () => {
  const [event] = parse("im_receive_msg", { ...MESSAGE, from_user: {} });
  assert.ok(event?.kind === "message");
  assert.deepEqual(event.from, {
    externalId: "MS4wLjABuserA",
    phone: null,
    name: "customer.name",
  });
});

test("the echo of an API send may be our own; one from the app is not", () => {
  assert.deepEqual(parse("im_send_msg", ECHO), [
    {
      kind: "echo",
      accountExternalId: BUSINESS,
      externalMessageId: "7431000000000000001",
      threadId: "u5Jh+/==",
      to: { externalId: "user-A", phone: null },
      occurredAt: new Date(AT),
      content: { type: "text", text: "hi", attachments: [] },
      maybeOurs: true,
    },
  ]);
  for (const [source, ours] of [
    ["API", true],
    ["APP", undefined],
    ["WEB", undefined],
    [undefined, true],
  ] as const) {
    const [event] = parse("im_send_msg", { ...ECHO, message_tag: { source } });
    assert.ok(event?.kind === "echo");
    assert.equal(event.maybeOurs, ours, String(source));
  }
  for (const type of ["WELCOME_MESSAGE", "SUGGESTED_QUESTION", "AUTO_REPLY"]) {
    const sent = { ...ECHO, auto_message_type: type, message_tag: { source: "OTHERS" } };
    const [event] = parse("im_send_msg", sent);
    assert.ok(event?.kind === "echo");
    assert.deepEqual([event.automatic, event.maybeOurs], [true, true], type);
  }
  const [unnamed] = parse("im_send_msg", { ...ECHO, to_user: {} });
  assert.ok(unnamed?.kind === "echo");
  assert.equal(unnamed.to.externalId, "MS4wLjABuserA");
});

test("a read mark is a watermark; the business's own reading gives nothing", () => {
  const mark = {
    conversation_id: "u5Jh+/==",
    read: { last_read_timestamp: 1_700_000_000_000 },
    from_user: { id: "user-A" },
  };
  assert.deepEqual(parse("im_mark_read_msg", mark), [
    {
      kind: "watermark",
      accountExternalId: BUSINESS,
      customerExternalId: "user-A",
      status: "read",
      occurredAt: new Date(1_700_000_000_000),
      externalMessageId: null,
    },
  ]);
  const unnamed = { timestamp: AT, unique_identifier: "MS4wLjABuserA" };
  const [event] = parse("im_mark_read_msg", unnamed);
  assert.ok(event?.kind === "watermark");
  assert.deepEqual([event.customerExternalId, event.occurredAt], ["MS4wLjABuserA", new Date(AT)]);
  const own = { id: BUSINESS, role: "business_account" };
  assert.deepEqual(parse("im_mark_read_msg", { ...mark, from_user: own }), []);
});

test("a removed authorisation stops the account and says why", () => {
  const told = (content: unknown) => {
    const [event, ...more] = parse("authorization.removed", content);
    assert.ok(event?.kind === "account_alert" && more.length === 0);
    assert.deepEqual(
      [event.accountExternalId, event.code, event.blocking],
      [BUSINESS, "AUTHORIZATION_REMOVED", true],
    );
    return event.detail;
  };
  assert.match(told({ reason: 1 }), /disconnected in the TikTok app/);
  assert.match(told({ reason: "4" }), /banned/);
  for (const content of [{}, { reason: 0 }, { reason: "constructor" }])
    assert.match(told(content), /does not say why/);
});

const IGNORED: readonly (readonly [
  name: string,
  event: string,
  content: unknown,
  more?: object,
])[] = [
  ["Europe, without content", "im_receive_msg_eu", { to: "shop", timestamp: AT }],
  ["a referral that says nothing", "im_referral_msg", MESSAGE],
  ["a referral of nobody", "im_referral_msg", { conversation_id: "u5Jh", referral: ADVERTISED }],
  ["automatic messages", "im_auto_message_config_update", {}],
  ["their audit", "im_auto_message_audit_update", {}],
  ["a comment", "im_receive_high_intent_comment", "no JSON"],
  ["an event of next year", "im_hologram", MESSAGE],
  ["an event that is a name of Object", "constructor", MESSAGE],
  ["no account", "im_receive_msg", MESSAGE, { user_openid: undefined }],
  ["no message id", "im_receive_msg", { ...MESSAGE, message_id: undefined }],
  ["no conversation", "im_receive_msg", { ...MESSAGE, conversation_id: null }],
  ["nobody", "im_receive_msg", { ...MESSAGE, from_user: null, unique_identifier: 7.5 }],
  ["an echo to nobody", "im_send_msg", { ...ECHO, to_user: [], unique_identifier: "" }],
  ["an echo of no message", "im_send_msg", { ...ECHO, message_id: null }],
  ["an echo in no conversation", "im_send_msg", { ...ECHO, conversation_id: null }],
  ["a mark of nobody", "im_mark_read_msg", { read: { last_read_timestamp: AT } }],
  ["content that is null", "im_receive_msg", "null"],
];
for (const [name, event, content, more] of IGNORED) {
  test(`left out: ${name}`, () => {
    assert.deepEqual(parse(event, content, more), []);
  });
}

test("times: seconds and milliseconds, create_time when there is none, never later than the call", () => {
  const at = (timestamp: unknown, envelope = {}) => {
    const [event] = parse("im_receive_msg", { ...MESSAGE, timestamp }, envelope);
    assert.ok(event?.kind === "message");
    return event.occurredAt.getTime();
  };
  assert.equal(at(1_732_622_400), 1_732_622_400_000);
  assert.equal(at("1732622400123"), AT);
  assert.equal(at(undefined), 1_732_622_400_000);
  assert.equal(at(-1, { create_time: "soon" }), receivedAt.getTime());
  assert.equal(at(AT + 86_400_000), receivedAt.getTime());
});

test("ids beyond 2^53 keep their digits, in the string too", () => {
  const content = JSON.stringify(MESSAGE).replace('"7431000000000000001"', "7431000000000000001");
  const [event] = parse("im_receive_msg", content);
  assert.ok(event?.kind === "message");
  assert.equal(event.externalMessageId, "7431000000000000001");
});

test("a body, or the content of an event that we read, that is not JSON throws: it is kept for inspection", () => {
  assert.throws(() => parse("im_receive_msg", "{"));
  const body = Buffer.from("<html>");
  assert.throws(() => tiktok.parse({ body, headers: {}, query: {} }, { externalId: BUSINESS }));
});
