import assert from "node:assert/strict";
import { test } from "node:test";
import { base, contact, inbound, only, parse, wrap } from "../../../../test/whatsapp-calls.ts";

/** Type by type: the body of channels.md §2.5, the text and attachments it must give, whether it opens the window. */
const CONTENT: readonly (readonly [
  message: { type: string; [key: string]: unknown },
  text: string | null,
  attachments: readonly object[],
  opensWindow: boolean,
])[] = [
  [
    {
      type: "image",
      image: {
        id: "1003383421387256",
        mime_type: "image/jpeg",
        sha256: "SfIn=",
        caption: "look",
        url: "https://lookaside.fbsbx.com/x",
      },
    },
    "look",
    [
      {
        type: "image",
        id: "1003383421387256",
        mimeType: "image/jpeg",
        sha256: "SfIn=",
        caption: "look",
      },
    ],
    true,
  ],
  [
    {
      type: "audio",
      audio: { id: "1", mime_type: "audio/ogg; codecs=opus", sha256: "a", voice: true },
    },
    null,
    [{ type: "audio", id: "1", mimeType: "audio/ogg; codecs=opus", sha256: "a", voice: true }],
    true,
  ],
  [
    { type: "video", video: { id: "2", mime_type: "video/mp4" } },
    null,
    [{ type: "video", id: "2", mimeType: "video/mp4" }],
    true,
  ],
  [
    { type: "sticker", sticker: { id: "3", mime_type: "image/webp", animated: true } },
    null,
    [{ type: "sticker", id: "3", mimeType: "image/webp", animated: true }],
    true,
  ],
  [
    {
      type: "document",
      document: { id: "4", mime_type: "application/pdf", filename: "a.pdf", caption: "the bill" },
    },
    "the bill",
    [
      {
        type: "document",
        id: "4",
        mimeType: "application/pdf",
        caption: "the bill",
        fileName: "a.pdf",
      },
    ],
    true,
  ],
  [
    {
      type: "location",
      location: { latitude: 29.37, longitude: 47.97, name: "Souq", address: "Kuwait" },
    },
    null,
    [{ type: "location", latitude: 29.37, longitude: 47.97, name: "Souq", address: "Kuwait" }],
    true,
  ],
  [
    { type: "reaction", reaction: { message_id: "wamid.A", emoji: "\u{1F44D}" } },
    "\u{1F44D}",
    [{ type: "reaction", messageId: "wamid.A", emoji: "\u{1F44D}" }],
    false,
  ],
  [
    { type: "reaction", reaction: { message_id: "wamid.A" } },
    null,
    [{ type: "reaction", messageId: "wamid.A" }],
    false,
  ],
  [
    {
      type: "button",
      context: { from: "15550783881", id: "wamid.B" },
      button: { payload: "CONFIRM", text: "Confirm" },
    },
    "Confirm",
    [
      { type: "button", text: "Confirm", payload: "CONFIRM" },
      { type: "quote", messageId: "wamid.B" },
    ],
    true,
  ],
  [
    {
      type: "interactive",
      interactive: { type: "button_reply", button_reply: { id: "b1", title: "Yes" } },
    },
    "Yes",
    [{ type: "button_reply", id: "b1", title: "Yes" }],
    true,
  ],
  [
    {
      type: "interactive",
      interactive: {
        type: "list_reply",
        list_reply: { id: "r1", title: "Row", description: "words" },
      },
    },
    "Row",
    [{ type: "list_reply", id: "r1", title: "Row", description: "words" }],
    true,
  ],
  [
    {
      type: "interactive",
      interactive: {
        type: "nfm_reply",
        nfm_reply: { name: "flow", body: "Sent", response_json: '{"flow_token":"f"}' },
      },
    },
    "Sent",
    [{ type: "nfm_reply", name: "flow", response: '{"flow_token":"f"}' }],
    true,
  ],
  // Meta, "User call permissions": the answers to a request, as david-lev/pywa has them (call_permission_update.json).
  [
    {
      type: "interactive",
      interactive: {
        type: "call_permission_reply",
        call_permission_reply: {
          response: "accept",
          is_permanent: false,
          expiration_timestamp: "1768550400",
          response_source: "user_action",
        },
      },
    },
    "Calls allowed",
    [
      {
        type: "call_permission_reply",
        response: "accept",
        permanent: false,
        until: "2026-01-16T08:00:00.000Z",
      },
    ],
    true,
  ],
  [
    {
      type: "interactive",
      interactive: {
        type: "call_permission_reply",
        call_permission_reply: { response: "reject", response_source: "user_action" },
      },
    },
    "Calls not allowed",
    [{ type: "call_permission_reply", response: "reject" }],
    true,
  ],
  [
    {
      type: "interactive",
      interactive: {
        type: "call_permission_reply",
        call_permission_reply: {
          response: "accept",
          is_permanent: true,
          response_source: "automatic",
        },
      },
    },
    "Calls allowed",
    [{ type: "call_permission_reply", response: "accept", permanent: true }],
    false,
  ],
  [
    {
      type: "contacts",
      contacts: [
        {
          name: { formatted_name: "A B" },
          phones: [{ phone: "+965 5", wa_id: "9655", type: "CELL" }],
        },
        {
          name: { formatted_name: "C" },
          org: { company: "Shop" },
          emails: [{ email: "c@shop.example", type: "WORK" }, { type: "HOME" }],
        },
      ],
    },
    null,
    [
      { type: "contact", name: "A B", phones: [{ phone: "+965 5", waId: "9655", type: "CELL" }] },
      { type: "contact", name: "C", phones: [], emails: ["c@shop.example"], company: "Shop" },
    ],
    true,
  ],
  [
    {
      type: "text",
      text: { body: "how much is it?" },
      context: { referred_product: { catalog_id: "9", product_retailer_id: "blue-jacket" } },
    },
    "how much is it?",
    [{ type: "product", productId: "blue-jacket", catalogId: "9" }],
    true,
  ],
  [
    {
      type: "order",
      order: {
        catalog_id: "9",
        text: "please",
        product_items: [
          { product_retailer_id: "p", quantity: 2, item_price: 1.5, currency: "KWD" },
        ],
      },
    },
    "please",
    [
      {
        type: "order",
        catalogId: "9",
        items: [{ productId: "p", quantity: 2, price: 1.5, currency: "KWD" }],
      },
    ],
    true,
  ],
  [
    {
      type: "text",
      text: { body: "hi" },
      context: { forwarded: true },
      referral: {
        source_url: "https://fb.me/x",
        source_type: "ad",
        source_id: "77",
        headline: "H",
        body: "B",
        ctwa_clid: "c",
      },
    },
    "hi",
    [
      { type: "forwarded" },
      {
        type: "referral",
        sourceType: "ad",
        sourceId: "77",
        sourceUrl: "https://fb.me/x",
        headline: "H",
        body: "B",
        clickId: "c",
      },
    ],
    true,
  ],
];
/** The files to fetch, by id: the address in a call is short-lived. */
const MEDIA: Readonly<Record<string, readonly object[]>> = Object.fromEntries(
  (
    [
      ["image", "1003383421387256", "image/jpeg", null],
      ["audio", "1", "audio/ogg; codecs=opus", null],
      ["video", "2", "video/mp4", null],
      ["sticker", "3", "image/webp", null],
      ["document", "4", "application/pdf", "a.pdf"],
    ] as const
  ).map(([kind, id, mimeType, fileName]) => [
    kind,
    [{ attachment: 0, kind, source: { id }, mimeType, fileName, size: null }],
  ]),
);
for (const [message, text, attachments, opensWindow] of CONTENT) {
  test(`${message.type}: ${JSON.stringify(message[message.type]).slice(0, 60)}`, () => {
    const event = only(inbound(message), "message");
    const { media, ...content } = event.content;
    assert.deepEqual(content, { type: message.type, text, attachments });
    assert.deepEqual(media, MEDIA[message.type]);
    assert.equal(event.opensWindow, opensWindow);
  });
}

for (const type of ["unsupported", "hologram"]) {
  test(`a message of type ${type} shows as unsupported and opens no window`, () => {
    const errors = [{ code: 131051, title: "Message type unknown" }];
    const event = only(inbound({ type, errors }), "message");
    assert.deepEqual(event.content, {
      type: "unsupported",
      text: null,
      attachments: [{ type: "unsupported", originalType: type, code: "131051" }],
    });
    assert.equal(event.opensWindow, false);
  });
}

/** Meta, error 131000 "Something went wrong"; where the error stands differs. */
const FAILED = { code: 131000, title: "Something went wrong", message: "Something went wrong" };
for (const [name, value] of [
  ["its own", { messages: [{ ...base, type: "interactive", errors: [FAILED] }] }],
  ["the call's", { messages: [{ ...base, type: "interactive" }], errors: [FAILED] }],
  [
    "both",
    { messages: [{ ...base, type: "image", image: {}, errors: [FAILED] }], errors: [FAILED] },
  ],
] as const) {
  test(`a message without a body and with an error, ${name}, failed to load: no window, no notice`, () => {
    const event = only(parse(wrap({ contacts: [contact], ...value })), "message");
    assert.equal(event.content.type, "unsupported");
    assert.deepEqual(event.content.attachments, [
      {
        type: "unsupported",
        originalType: value.messages[0].type,
        code: "131000",
        detail: "WhatsApp failed to load this message: Something went wrong",
      },
    ]);
    assert.equal(event.opensWindow, false);
  });
}

test("an error with a whole message, and one with an empty message of a kind that has no body, are the account's", () => {
  const text = { ...base, type: "text", text: { body: "hi" } };
  const errors = [{ code: 130429, title: "Rate limit hit" }];
  for (const message of [text, { ...base, type: "unsupported" }]) {
    const [said, alert] = parse(wrap({ contacts: [contact], messages: [message], errors }));
    assert.equal(said?.kind, "message");
    assert.equal(alert?.kind, "account_alert");
  }
});

test("a file that was too large for the platform says so", () => {
  const title = "The media file is too large. The maximum file size currently accepted is 100 MB.";
  const errors = [{ code: 131052, title, message: title }];
  const event = only(inbound({ type: "unsupported", errors }), "message");
  assert.deepEqual(event.content.attachments, [
    { type: "unsupported", originalType: "unsupported", code: "131052", detail: title },
  ]);
});

test("content that the platform withholds is named by its type", () => {
  const title = "This message is currently unavailable.";
  const errors = [{ code: 131060, title, message: title }];
  const unsupported = { type: "media_placeholder" };
  const event = only(inbound({ type: "unsupported", errors, unsupported }), "message");
  assert.deepEqual(event.content.attachments, [
    { type: "unsupported", originalType: "media_placeholder", code: "131060", detail: title },
  ]);
});
