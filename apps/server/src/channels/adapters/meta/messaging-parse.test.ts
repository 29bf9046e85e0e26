import assert from "node:assert/strict";
import { test } from "node:test";
import type { InboundEvent } from "../../adapter.ts";
import { parseMessaging } from "./messaging-parse.ts";

const PAGE = "1029384756";
const PSID = "25400000001234";
const RECEIVED = new Date("2026-11-21T12:00:00Z");
const T = 1_723_680_000_000;

const parse = (document: unknown, object: "page" | "instagram" = "page"): InboundEvent[] =>
  parseMessaging(
    { body: Buffer.from(JSON.stringify(document)), headers: {}, query: {}, receivedAt: RECEIVED },
    object,
  );
const from = { sender: { id: PSID }, recipient: { id: PAGE }, timestamp: T };
const one = (item: object, object: "page" | "instagram" = "page", form = "messaging") =>
  parse({ object, entry: [{ id: PAGE, time: T, [form]: [item] }] }, object);
const said = (message: object, object: "page" | "instagram" = "page") => {
  const [event] = one({ ...from, message: { mid: "m_1", ...message } }, object);
  assert.equal(event?.kind, "message");
  return event as Extract<InboundEvent, { kind: "message" }>;
};

/** Every variant of a customer's message (channels.md §3.2, §4.2): type, text, attachments, opens the window. */
const MESSAGES: readonly (readonly [string, object, string, string | null, readonly object[]])[] = [
  ["text", { text: "Hi, is this in stock?" }, "text", "Hi, is this in stock?", []],
  [
    "a sticker",
    {
      attachments: [
        { type: "image", payload: { url: "https://x/y", sticker_id: 369239263222822 } },
      ],
    },
    "sticker",
    null,
    [{ type: "sticker", url: "https://x/y", stickerId: "369239263222822" }],
  ],
  [
    "two files",
    {
      attachments: [
        { type: "file", payload: { url: "https://x/a" } },
        { type: "image", payload: { url: "https://x/b" } },
      ],
    },
    "document",
    null,
    [
      { type: "document", url: "https://x/a" },
      { type: "image", url: "https://x/b" },
    ],
  ],
  [
    "a place",
    {
      attachments: [
        { type: "location", title: "Here", payload: { coordinates: { lat: 29.3, long: 47.9 } } },
      ],
    },
    "location",
    null,
    [{ type: "location", latitude: 29.3, longitude: 47.9, title: "Here" }],
  ],
  [
    "a shared link",
    { text: "look", attachments: [{ type: "fallback", title: "A page", url: "https://p" }] },
    "text",
    "look",
    [{ type: "link", url: "https://p", title: "A page" }],
  ],
  [
    "a quick reply that quotes",
    { text: "Yes", quick_reply: { payload: "Y" }, reply_to: { mid: "m_0" } },
    "button",
    "Yes",
    [
      { type: "button", text: "Yes", payload: "Y" },
      { type: "quote", messageId: "m_0" },
    ],
  ],
  [
    "a story mention",
    { attachments: [{ type: "story_mention", payload: { url: "https://s" } }] },
    "story_mention",
    null,
    [{ type: "story_mention", url: "https://s" }],
  ],
  [
    "an answer to a story",
    { text: "nice", reply_to: { story: { id: "17", url: "https://s" } } },
    "text",
    "nice",
    [{ type: "story_reply", id: "17", url: "https://s" }],
  ],
  [
    "a heart",
    { attachments: [{ type: "like_heart" }] },
    "like_heart",
    null,
    [{ type: "like_heart" }],
  ],
  [
    "a reel",
    {
      attachments: [
        { type: "ig_reel", payload: { reel_video_id: "9", title: "R", url: "https://r" } },
      ],
    },
    "reel",
    null,
    [{ type: "reel", url: "https://r", title: "R", id: "9" }],
  ],
  [
    "a post that was shared",
    {
      attachments: [
        { type: "ig_post", payload: { ig_post_media_id: "17", title: "P", url: "https://p" } },
      ],
    },
    "share",
    null,
    [{ type: "share", url: "https://p", title: "P", id: "17" }],
  ],
  [
    "a story that was passed on",
    {
      attachments: [
        { type: "ig_story", payload: { story_media_id: "18", story_media_url: "https://t" } },
      ],
    },
    "share",
    null,
    [{ type: "share", url: "https://t", id: "18" }],
  ],
  [
    "an advertisement's customer",
    {
      text: "hi",
      referral: { ref: "r", source: "ADS", type: "OPEN_THREAD", ad_id: "6045246247433" },
    },
    "text",
    "hi",
    [
      {
        type: "referral",
        ref: "r",
        source: "ADS",
        referralType: "OPEN_THREAD",
        adId: "6045246247433",
      },
    ],
  ],
  [
    "what an advertisement showed",
    {
      text: "how much?",
      referral: {
        source: "ADS",
        type: "OPEN_THREAD",
        ad_id: "6045246247433",
        ads_context_data: { ad_title: "The blue jacket", product_id: "17" },
      },
    },
    "text",
    "how much?",
    [
      {
        type: "referral",
        source: "ADS",
        referralType: "OPEN_THREAD",
        adId: "6045246247433",
        headline: "The blue jacket",
        productId: "17",
      },
    ],
  ],
  [
    "a question from a product's page",
    { text: "still there?", referral: { product: { id: "18" } } },
    "text",
    "still there?",
    [{ type: "referral", productId: "18" }],
  ],
  // Meta, "messages Webhook Event Reference", `message.attachments.payload.product.elements`; sociably's types and tests
  // of Messenger read the same.
  [
    "products that were shared",
    {
      attachments: [
        {
          type: "template",
          payload: {
            product: {
              elements: [
                {
                  id: "4217598765432109",
                  retailer_id: "SKU-17",
                  image_url: "https://scontent.xx.fbcdn.net/1.jpg",
                  title: "Travel Bag",
                  subtitle: "$49.90",
                },
                { id: 4217598765432110, title: "Blue jacket", image_url: "javascript:alert(1)" },
              ],
            },
          },
        },
      ],
    },
    "template",
    "Travel Bag\n$49.90\n\nBlue jacket",
    [
      {
        type: "template",
        title: "Travel Bag",
        subtitle: "$49.90",
        imageUrl: "https://scontent.xx.fbcdn.net/1.jpg",
        id: "4217598765432109",
        retailerId: "SKU-17",
      },
      // An adapter passes on what it is told; receive-events.test.ts tests what is dropped for all.
      {
        type: "template",
        title: "Blue jacket",
        id: "4217598765432110",
        imageUrl: "javascript:alert(1)",
      },
    ],
  ],
  [
    "a template that says nothing",
    { attachments: [{ type: "template", payload: { template_type: "media", elements: [{}] } }] },
    "template",
    null,
    [{ type: "template" }],
  ],
  [
    "what Instagram cannot show",
    { is_unsupported: true },
    "unsupported",
    null,
    [{ type: "unsupported" }],
  ],
  [
    "a kind to come",
    { attachments: [{ type: "hologram", payload: { url: "https://h" } }] },
    "unsupported",
    null,
    [{ type: "unsupported", originalType: "hologram", url: "https://h" }],
  ],
];
/** The files of those messages: which attachment, of which kind, where. */
const FILES: Readonly<Record<string, readonly (readonly [number, string, object])[]>> = {
  "a sticker": [[0, "sticker", { url: "https://x/y" }]],
  "two files": [
    [0, "document", { url: "https://x/a" }],
    [1, "image", { url: "https://x/b" }],
  ],
  "a post that was shared": [[0, "image", { url: "https://p" }]],
  "a story that was passed on": [[0, "image", { url: "https://t" }]],
  "a story mention": [[0, "image", { url: "https://s" }]],
  "an answer to a story": [[0, "image", { url: "https://s" }]],
  "a reel": [[0, "video", { url: "https://r" }]],
};
for (const [name, message, type, text, attachments] of MESSAGES) {
  test(`${name} is read as ${type}`, () => {
    for (const object of ["page", "instagram"] as const) {
      const event = said(message, object);
      const { media, ...content } = event.content;
      assert.deepEqual(content, { type, text, attachments });
      const found = media?.map((file) => [file.attachment, file.kind, file.source]);
      assert.deepEqual(found, FILES[name]);
      assert.ok(event.opensWindow, "whatever the customer sends opens the window, shown or not");
      assert.deepEqual(event.from, { externalId: PSID, phone: null, name: null });
      assert.equal(event.occurredAt.getTime(), T);
    }
  });
}

test("a postback is a pressed button, with the link it came by; an old one without an id gets one that repeats", () => {
  const postback = {
    mid: "m_5",
    title: "Get started",
    payload: "START",
    referral: { ref: "x", source: "SHORTLINK", type: "OPEN_THREAD" },
  };
  const [event] = one({ ...from, postback });
  assert.ok(event?.kind === "message");
  assert.deepEqual(
    [event.externalMessageId, event.content.type, event.content.text],
    ["m_5", "button", "Get started"],
  );
  assert.equal(event.content.attachments.length, 2);
  const old = () => one({ ...from, postback: { title: "Go", payload: "G" } })[0];
  assert.ok(old()?.kind === "message");
  assert.deepEqual(old(), old());
});

test("an echo is addressed to its recipient and returns our id", () => {
  const message = {
    mid: "m_e",
    text: "Yes it is!",
    is_echo: true,
    app_id: 1517776481860111,
    metadata: "msg_1",
  };
  const echo = { sender: { id: PAGE }, recipient: { id: PSID }, timestamp: T, message };
  const wanted = {
    kind: "echo",
    accountExternalId: PAGE,
    externalMessageId: "m_e",
    to: { externalId: PSID, phone: null },
    occurredAt: new Date(T),
    content: { type: "text", text: "Yes it is!", attachments: [] },
    maybeOurs: true,
    correlationId: "msg_1",
  };
  assert.deepEqual(one(echo), [wanted]);
});

/** Meta, "message_echoes" and "Message templates" (generic, button, receipt): what a bot or the page's inbox sent. */
const TEMPLATES: readonly (readonly [string, object, string, readonly object[]])[] = [
  [
    "a card with buttons",
    {
      template_type: "generic",
      elements: [
        {
          title: "Welcome!",
          subtitle: "We have the right hat for everyone.",
          image_url: "https://www.originalcoastclothing.com/work.jpg",
          default_action: { type: "web_url", url: "https://www.originalcoastclothing.com/" },
          buttons: [
            { type: "web_url", url: "https://www.originalcoastclothing.com/", title: "Website" },
            { type: "postback", title: "Start Chatting", payload: "CHAT" },
          ],
        },
      ],
    },
    "Welcome!\nWe have the right hat for everyone.\n• Website\n• Start Chatting",
    [
      {
        type: "template",
        title: "Welcome!",
        subtitle: "We have the right hat for everyone.",
        url: "https://www.originalcoastclothing.com/",
        imageUrl: "https://www.originalcoastclothing.com/work.jpg",
        buttons: [
          { text: "Website", url: "https://www.originalcoastclothing.com/" },
          { text: "Start Chatting", payload: "CHAT" },
        ],
      },
    ],
  ],
  [
    "a question with buttons",
    {
      template_type: "button",
      text: "What do you want to do next?",
      buttons: [{ type: "postback", title: "Order", payload: "ORDER" }],
    },
    "What do you want to do next?\n• Order",
    [
      {
        type: "template",
        title: "What do you want to do next?",
        url: "https://www.facebook.com/commerce/update/",
        buttons: [{ text: "Order", payload: "ORDER" }],
      },
    ],
  ],
  [
    "a receipt",
    {
      template_type: "receipt",
      currency: "USD",
      elements: [{ title: "Classic White T-Shirt", subtitle: "100% cotton", price: 50 }],
    },
    "Classic White T-Shirt\n100% cotton\n50 USD",
    [
      {
        type: "template",
        title: "Classic White T-Shirt",
        subtitle: "100% cotton",
        price: "50 USD",
      },
    ],
  ],
];
for (const [name, payload, text, attachments] of TEMPLATES) {
  test(`an echo of ${name} is shown in words`, () => {
    const url = "https://www.facebook.com/commerce/update/";
    const attached = [{ title: "", url, type: "template", payload }];
    const message = { mid: "m_e", is_echo: true, app_id: 1, attachments: attached };
    const [event] = one({ sender: { id: PAGE }, recipient: { id: PSID }, timestamp: T, message });
    assert.ok(event?.kind === "echo");
    assert.deepEqual(event.content, { type: "template", text, attachments });
  });
}

test("the advertisement of a message, or of a pressed button, is kept", () => {
  const referral = { ref: "r", source: "ADS", type: "OPEN_THREAD", ad_id: "6045246247433" };
  const wanted = {
    type: "referral",
    ref: "r",
    source: "ADS",
    referralType: "OPEN_THREAD",
    adId: "6045246247433",
  };
  const message = { mid: "m_1", text: "hi" };
  const postback = { mid: "m_2", title: "Go", payload: "G" };
  for (const item of [
    { message, referral },
    { postback, referral },
  ]) {
    const [event, ...more] = one({ ...from, ...item });
    assert.ok(event?.kind === "message" && more.length === 0);
    assert.deepEqual(event.content.attachments.at(-1), wanted);
  }
});

const MARKS: readonly (readonly [
  string,
  "page" | "instagram",
  object,
  readonly (readonly unknown[])[],
])[] = [
  [
    "a delivery with names",
    "page",
    { delivery: { mids: ["m_1", "m_2"], watermark: T } },
    [
      ["status", "delivered", "m_1", T],
      ["status", "delivered", "m_2", T],
    ],
  ],
  [
    "a delivery without names",
    "page",
    { delivery: { watermark: T } },
    [["watermark", "delivered", null, T]],
  ],
  ["a read", "page", { read: { watermark: 1_723_680_000 } }, [["watermark", "read", null, T]]],
  [
    "a read of a message",
    "instagram",
    { read: { mid: "aWdf" } },
    [["watermark", "read", "aWdf", T]],
  ],
];
for (const [name, object, mark, wanted] of MARKS) {
  test(`${name} is ${wanted.map((fact) => String(fact[0])).join(" and ")}`, () => {
    const facts = one({ ...from, ...mark }, object).map((event) => {
      assert.ok(event.kind === "status" || event.kind === "watermark");
      return [event.kind, event.status, event.externalMessageId, event.occurredAt.getTime()];
    });
    assert.deepEqual(facts, wanted);
  });
}

test("withdrawn is deleted, changed is edited, in both forms", () => {
  assert.deepEqual(
    one({ ...from, message: { mid: "m_1", is_deleted: true } }, "instagram").map(
      ({ kind }) => kind,
    ),
    ["deleted"],
  );
  const edit = { mid: "m_1", text: "new", num_edit: 1 };
  const change = { field: "message_edit", value: { ...edit, timestamp: T, from: { id: PSID } } };
  for (const events of [one({ ...from, message_edit: edit }), one(change, "instagram", "changes")])
    assert.deepEqual(events, [
      {
        kind: "edited",
        accountExternalId: PAGE,
        externalMessageId: "m_1",
        text: "new",
        occurredAt: new Date(T),
      },
    ]);
});

test("an edit without an editor, by which Instagram tells of a new message, changes nothing", () => {
  const made = { message_edit: { mid: "m_1", num_edit: 0 } };
  assert.deepEqual(one({ timestamp: T, ...made }, "instagram"), []);
  assert.deepEqual(one({ ...from, ...made }, "instagram"), []);
});

test("a reaction is shown and opens no window; a withdrawn one has no emoji", () => {
  const react = (reaction: object) => one({ ...from, reaction: { mid: "m_1", ...reaction } })[0];
  const event = react({ action: "react", reaction: "love", emoji: "❤" });
  assert.ok(event?.kind === "message" && !event.opensWindow);
  assert.deepEqual(event.content, {
    type: "reaction",
    text: "❤",
    attachments: [{ type: "reaction", messageId: "m_1", emoji: "❤" }],
  });
  const back = react({ action: "unreact" });
  assert.ok(back?.kind === "message" && back.content.text === null);
  const value = {
    mid: "m_1",
    action: "react",
    reaction: "love",
    emoji: "❤",
    timestamp: T,
    from: { id: PSID },
  };
  assert.deepEqual(one({ field: "message_reactions", value }, "instagram", "changes"), [event]);
});

test("what another app's standby shows is stored; a link alone opens no window, an advertisement does", () => {
  const [stood] = one({ ...from, message: { mid: "m_s", text: "hi" } }, "page", "standby");
  assert.equal(stood?.kind, "message");
  for (const [source, opens] of [
    ["SHORTLINK", false],
    ["ADS", true],
  ] as const) {
    const [event] = one({ ...from, referral: { ref: "r", source, type: "OPEN_THREAD" } });
    assert.ok(event?.kind === "message" && event.opensWindow === opens);
  }
});
