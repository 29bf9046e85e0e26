import assert from "node:assert/strict";
import { test } from "node:test";
import type { InboundEvent } from "../../adapter.ts";
import { telegram } from "./adapter.ts";

const BOT = { externalId: "987" };
const RECEIVED = new Date("2026-11-21T13:00:00Z");

function parse(update: unknown, receivedAt = RECEIVED): InboundEvent[] {
  const body = Buffer.from(typeof update === "string" ? update : JSON.stringify(update));
  return telegram.parse({ body, headers: {}, query: {}, receivedAt }, BOT);
}

// Payloads of channels.md §5.3.
const CHAT = { id: 1111111, first_name: "Test", username: "test", type: "private" };
const FROM = {
  id: 1111111,
  is_bot: false,
  first_name: "Test",
  last_name: "L",
  username: "test",
  language_code: "ar",
};

test("a text, started by a deep link: the message as it was written, and the consent to hear from us", () => {
  const update = {
    update_id: 10000,
    message: { message_id: 1365, from: FROM, chat: CHAT, date: 1441645532, text: "/start promo42" },
  };
  assert.deepEqual(parse(update), [
    {
      kind: "message",
      accountExternalId: "987",
      externalMessageId: "1111111:1365",
      from: { externalId: "1111111", phone: null, name: "Test L" },
      occurredAt: new Date(1441645532000),
      content: {
        type: "text",
        text: "/start promo42",
        attachments: [{ type: "start", payload: "promo42" }],
      },
      opensWindow: true,
    },
    {
      kind: "preference",
      accountExternalId: "987",
      customerExternalId: "1111111",
      optedOut: false,
      occurredAt: new Date(1441645532000),
    },
  ]);
});

test("an edit names the message and its new words; an edited caption too", () => {
  const edited = {
    message_id: 1365,
    from: { id: 1111111 },
    chat: { id: 1111111, type: "private" },
    date: 1441645532,
    edit_date: 1441646600,
  };
  const at = new Date(1441646600000);
  const event = { kind: "edited", accountExternalId: "987", externalMessageId: "1111111:1365" };
  assert.deepEqual(parse({ update_id: 10002, edited_message: { ...edited, text: "edited" } }), [
    { ...event, text: "edited", occurredAt: at },
  ]);
  assert.deepEqual(
    parse({ update_id: 1, edited_message: { ...edited, caption: "new", photo: [] } }),
    [{ ...event, text: "new", occurredAt: at }],
  );
});

test("a live location that moves, or ends, is an edit with the new place", () => {
  const base = { message_id: 1365, from: FROM, chat: CHAT, date: 1441645532 };
  const at = { latitude: 29.37, longitude: 47.97 };
  const sent = parse({ update_id: 1, message: { ...base, location: { ...at, live_period: 900 } } });
  assert.ok(sent[0]?.kind === "message");
  assert.deepEqual(sent[0].content.attachments, [{ type: "location", ...at, live: true }]);
  const edit = (location: object) =>
    parse({ update_id: 2, edited_message: { ...base, edit_date: 1441645600, location } })[0];
  const moved = edit({ ...at, latitude: 29.4, live_period: 900, heading: 90 });
  assert.ok(moved?.kind === "edited");
  assert.equal(moved.text, null);
  assert.deepEqual(moved.place, { type: "location", ...at, latitude: 29.4, live: true });
  const ended = edit(at);
  assert.ok(ended?.kind === "edited");
  assert.deepEqual(ended.place, { type: "location", ...at });
});

test("a pressed button is a message with its label, together with its payload and the message it belonged to", () => {
  const query = {
    id: "4382bfdwdsb323b2d9",
    from: { id: 1111111, first_name: "Test" },
    message: { message_id: 133 },
    chat_instance: "x",
    data: "YES",
  };
  const [event] = parse({ update_id: 10003, callback_query: query });
  assert.deepEqual(event, {
    kind: "message",
    accountExternalId: "987",
    externalMessageId: "callback:4382bfdwdsb323b2d9",
    from: { externalId: "1111111", phone: null, name: "Test" },
    occurredAt: RECEIVED,
    content: {
      type: "button",
      text: "YES",
      attachments: [
        { type: "button", text: "YES", payload: "YES" },
        { type: "quote", messageId: "1111111:133" },
      ],
    },
    opensWindow: true,
  });
  const message = {
    message_id: 133,
    chat: CHAT,
    reply_markup: {
      inline_keyboard: [
        [{ text: "No", callback_data: "NO" }],
        [{ text: "نعم", callback_data: "YES" }],
      ],
    },
  };
  const [labelled] = parse({ update_id: 1, callback_query: { ...query, message } });
  assert.ok(labelled?.kind === "message");
  assert.equal(labelled.content.text, "نعم");
  const group = { message_id: 1, chat: { id: -5, type: "group" } };
  assert.deepEqual(parse({ update_id: 1, callback_query: { ...query, message: group } }), []);
  const [long] = parse({ update_id: 1, callback_query: { ...query, id: "x".repeat(5_000) } });
  assert.ok(long?.kind === "message" && long.externalMessageId.length < 1_100);
  assert.deepEqual(parse({ update_id: 1, callback_query: { ...query, message: undefined } }), []);
});

for (const [status, optedOut] of [
  ["kicked", true],
  ["member", false],
] as const) {
  test(`my_chat_member ${status} in a private chat is the customer's preference`, () => {
    const change = {
      chat: { id: 1111111, type: "private" },
      from: { id: 1111111 },
      date: 1441645700,
      old_chat_member: { user: { id: 987 }, status: "member" },
      new_chat_member: { user: { id: 987 }, status, until_date: 0 },
    };
    assert.deepEqual(parse({ update_id: 10004, my_chat_member: change }), [
      {
        kind: "preference",
        accountExternalId: "987",
        customerExternalId: "1111111",
        optedOut,
        ...(!optedOut && { lifts: "platform" }),
        occurredAt: new Date(1441645700000),
      },
    ]);
    const group = { ...change, chat: { id: -100, type: "supergroup" } };
    assert.deepEqual(parse({ update_id: 1, my_chat_member: group }), []);
  });
}

const NOTHING: readonly (readonly [string, unknown])[] = [
  ["a group", { message: { message_id: 1, chat: { id: -5, type: "group" }, date: 1, text: "x" } }],
  ["a channel post", { channel_post: { message_id: 1, chat: { id: -1, type: "channel" } } }],
  ["a pinned note", { message: { message_id: 1, chat: CHAT, date: 1, pinned_message: {} } }],
  [
    "a log-in to a site",
    { message: { message_id: 1, chat: CHAT, date: 1, connected_website: "x" } },
  ],
  ["a new topic", { message: { message_id: 1, chat: CHAT, date: 1, forum_topic_created: {} } }],
  ["no message id", { message: { chat: CHAT, date: 1, text: "x" } }],
  ["no chat", { message: { message_id: 1, text: "x" } }],
  ["an unknown kind", { business_message: { message_id: 1 } }],
  ["null members", { message: null, edited_message: null }],
  ["a list", []],
  ["a number", 5],
  [
    "an administrator's change",
    { my_chat_member: { chat: CHAT, new_chat_member: { status: "left" } } },
  ],
];
for (const [name, update] of NOTHING) {
  test(`${name} gives no fact`, () => {
    assert.deepEqual(parse(update), []);
  });
}

test("half a document throws, so that the call is kept for inspection", () => {
  assert.throws(() => parse('{"update_id":1,"mess'), SyntaxError);
});

test("a future time becomes now; ids of 52 bits keep their digits; a name may be only a user name", () => {
  const id = 4503599627370495;
  const message = {
    message_id: 1,
    from: { id, username: "sara" },
    chat: { id, type: "private" },
    date: 4_000_000_000,
    text: "x",
  };
  const [event] = parse({ update_id: 1, message });
  assert.ok(event?.kind === "message");
  assert.deepEqual(event.from, { externalId: "4503599627370495", phone: null, name: "sara" });
  assert.deepEqual(event.occurredAt, RECEIVED);
});

test("the secret header is compared as it is; no form of it throws", () => {
  const account = {
    ...BOT,
    channelId: "c",
    workspaceId: "w",
    type: "TELEGRAM",
    apiUrl: "",
    settings: {},
    secrets: { botToken: "987:AA", secretToken: "s3cret_-" },
  } as const;
  const verify = (secret: string | undefined, secrets: Record<string, string> = account.secrets) =>
    telegram.verify(
      {
        body: Buffer.from("{}"),
        headers: { "x-telegram-bot-api-secret-token": secret },
        query: {},
      },
      { ...account, secrets },
    );
  assert.equal(verify("s3cret_-"), true);
  for (const wrong of [
    undefined,
    "",
    "s3cret_",
    "s3cret_-x",
    "S3CRET_-",
    "s3cret_\u2212",
    "x".repeat(9000),
  ])
    assert.equal(verify(wrong), false, String(wrong));
  // A disconnected channel has no secret: an empty header must not match that.
  assert.equal(verify("", {}), false);
  assert.equal(verify("", { secretToken: "" }), false);
});
