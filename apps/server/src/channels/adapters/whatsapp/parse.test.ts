import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { InboundEvent } from "../../adapter.ts";
import { parseWhatsApp } from "./parse.ts";

const NUMBER = "106540352242922";
const WABA = "102290129340398";
const RECEIVED = new Date("2026-11-21T12:00:00Z");

const parse = (body: unknown): InboundEvent[] =>
  parseWhatsApp({
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
    headers: {},
    query: {},
    receivedAt: RECEIVED,
  });

/** One change as Meta wraps it. */
const wrap = (value: object, field = "messages", number = NUMBER) => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: WABA,
      changes: [
        {
          field,
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: "15550783881", phone_number_id: number },
            ...value,
          },
        },
      ],
    },
  ],
});

const contact = {
  profile: { name: "Sheena Nelson" },
  wa_id: "16505551234",
  user_id: "US.13491208655302741918",
};
const base = { from: "16505551234", id: "wamid.HBgL", timestamp: "1749416383" };
const inbound = (message: object) =>
  parse(wrap({ contacts: [contact], messages: [{ ...base, ...message }] }));

type Of<K, E = InboundEvent> = E extends InboundEvent ? (K extends E["kind"] ? E : never) : never;

function only<K extends InboundEvent["kind"]>(events: InboundEvent[], kind: K): Of<K> {
  assert.equal(events.length, 1);
  const [event] = events;
  assert.equal(event?.kind, kind);
  return event as Of<K>;
}

test("a text names its number, sender, time and words", () => {
  const events = inbound({
    from_user_id: "US.13491208655302741918",
    type: "text",
    text: { body: "Does it come in another color?" },
  });
  assert.deepEqual(events, [
    {
      kind: "message",
      accountExternalId: NUMBER,
      externalMessageId: "wamid.HBgL",
      from: {
        externalId: "16505551234",
        phone: "16505551234",
        name: "Sheena Nelson",
        alternateId: "US.13491208655302741918",
      },
      occurredAt: new Date(1749416383_000),
      content: { type: "text", text: "Does it come in another color?", attachments: [] },
      opensWindow: true,
    },
  ]);
});

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
  [
    {
      type: "contacts",
      contacts: [
        {
          name: { formatted_name: "A B" },
          phones: [{ phone: "+965 5", wa_id: "9655", type: "CELL" }],
        },
      ],
    },
    null,
    [{ type: "contact", name: "A B", phones: [{ phone: "+965 5", waId: "9655", type: "CELL" }] }],
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
for (const [message, text, attachments, opensWindow] of CONTENT) {
  test(`${message.type}: ${JSON.stringify(message[message.type]).slice(0, 60)}`, () => {
    const event = only(inbound(message), "message");
    assert.deepEqual(event.content, { type: message.type, text, attachments });
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

test("a message taken back and a message changed name the earlier one", () => {
  const revoke = { type: "revoke", revoke: { original_message_id: "wamid.O" } };
  assert.deepEqual(only(inbound(revoke), "deleted"), {
    kind: "deleted",
    accountExternalId: NUMBER,
    externalMessageId: "wamid.O",
    text: null,
    occurredAt: new Date(1749416383_000),
  });
  const changed = { type: "text", text: { body: "new" } };
  const edit = { type: "edit", edit: { original_message_id: "wamid.O", message: changed } };
  const event = only(inbound(edit), "edited");
  assert.deepEqual([event.externalMessageId, event.text], ["wamid.O", "new"]);
  const image = { type: "image", image: { id: "1", caption: "newer" } };
  const caption = { type: "edit", edit: { original_message_id: "wamid.O", message: image } };
  assert.equal(only(inbound(caption), "edited").text, "newer");
});

test("a changed number links the old to the new", () => {
  const system = { type: "user_changed_number", body: "User A changed", wa_id: "16505559999" };
  const event = only(inbound({ type: "system", system }), "number_changed");
  assert.deepEqual([event.fromExternalId, event.toExternalId], ["16505551234", "16505559999"]);
});

test("notes of the system, welcome requests and group messages are no messages of a customer", () => {
  assert.deepEqual(inbound({ type: "system", system: { type: "customer_identity_changed" } }), []);
  assert.deepEqual(inbound({ type: "request_welcome" }), []);
  assert.deepEqual(inbound({ type: "text", text: { body: "x" }, group_id: "g" }), []);
});

const USER_ID = "KW.134912086553";
const SENDERS: readonly (readonly [string, object, object[], object])[] = [
  [
    "only a user id, from absent",
    { from: undefined, from_user_id: USER_ID },
    [{ profile: { name: "Sara" }, user_id: USER_ID }],
    { externalId: USER_ID, phone: null, name: "Sara" },
  ],
  [
    "the user id in from",
    { from: USER_ID, from_user_id: undefined },
    [{ profile: { username: "sara.k" }, user_id: USER_ID }],
    { externalId: USER_ID, phone: null, name: "sara.k" },
  ],
  [
    "a user id whose phone the contact shows",
    { from: undefined, from_user_id: USER_ID },
    [{ profile: { name: "Sara" }, wa_id: "96550000001", user_id: USER_ID }],
    { externalId: "96550000001", phone: "96550000001", name: "Sara", alternateId: USER_ID },
  ],
  [
    "a contact of somebody else gives no name",
    { from: "96550000009" },
    [{ profile: { name: "Not me" }, wa_id: "96550000001" }],
    { externalId: "96550000009", phone: "96550000009", name: null },
  ],
];
for (const [name, fields, contacts, from] of SENDERS) {
  test(`sender: ${name}`, () => {
    const message = { ...base, ...fields, type: "text", text: { body: "x" } };
    assert.deepEqual(only(parse(wrap({ contacts, messages: [message] })), "message").from, from);
  });
}

test("names in a batch go to the sender with the same id", () => {
  const contacts = [
    { profile: { name: "Ali" }, wa_id: "96550000001" },
    { profile: { name: "Badr" }, wa_id: "96550000002" },
  ];
  const messages = ["96550000002", "96550000001"].map((from) => ({
    ...base,
    from,
    id: `wamid.${from}`,
    type: "text",
    text: { body: "x" },
  }));
  const names = parse(wrap({ contacts, messages })).map((event) =>
    event.kind === "message" ? event.from.name : null,
  );
  assert.deepEqual(names, ["Badr", "Ali"]);
});

test("a batch with several numbers, messages and statuses gives each with its own number", () => {
  const message = { ...base, type: "text", text: { body: "x" } };
  const status = { id: "wamid.s", status: "sent", timestamp: "1", recipient_id: "1" };
  const first = wrap({ messages: [message, { ...message, id: "wamid.2" }], statuses: [status] });
  const second = wrap({ messages: [message] }, "messages", "222");
  const both = { ...first, entry: [...first.entry, ...second.entry] };
  const seen = parse(both).map((event) => [
    event.kind,
    "accountExternalId" in event ? event.accountExternalId : null,
  ]);
  assert.deepEqual(seen, [
    ["message", NUMBER],
    ["message", NUMBER],
    ["status", NUMBER],
    ["message", "222"],
  ]);
});

test("escaped Arabic and emoji come out as written", () => {
  const escaped = JSON.stringify(
    wrap({ messages: [{ ...base, type: "text", text: { body: "PLACE" } }] }),
  ).replace("PLACE", "\\u0645\\u0631\\u062d\\u0628\\u0627 \\/ \\ud83d\\ude00");
  assert.equal(only(parse(escaped), "message").content.text, "مرحبا / 😀");
});

test("text that the database cannot hold is made whole", () => {
  const event = only(inbound({ type: "text", text: { body: "a\0b\ud83d" } }), "message");
  assert.equal(event.content.text, "a\ufffdb\ufffd");
});

const STATUSES: readonly (readonly [string, string | null])[] = [
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["read", "read"],
  ["played", "read"],
  ["deleted", null],
  ["warning", null],
  ["constructor", null],
];
for (const [word, wanted] of STATUSES) {
  test(`status ${word} is ${wanted ?? "left out"}`, () => {
    const item = {
      id: "wamid.xyz",
      status: word,
      timestamp: "1698266945",
      recipient_id: "972987654321",
      biz_opaque_callback_data: "msg_01H",
      conversation: { id: "7", origin: { type: "service" } },
      pricing: { billable: true, pricing_model: "PMP" },
    };
    const events = parse(wrap({ statuses: [item] }));
    if (wanted === null) assert.deepEqual(events, []);
    else
      assert.deepEqual(events, [
        {
          kind: "status",
          accountExternalId: NUMBER,
          externalMessageId: "wamid.xyz",
          correlationId: "msg_01H",
          status: wanted,
          occurredAt: new Date(1698266945_000),
          errorCode: null,
          errorDetail: null,
        },
      ]);
  });
}

const failedWith = (code: number) =>
  parse(
    wrap({
      statuses: [
        {
          id: "wamid.xyz",
          status: "failed",
          timestamp: "1689380458",
          recipient_id: "9",
          errors: [
            { code, title: "Title", message: "Message", error_data: { details: "The details." } },
          ],
        },
      ],
    }),
  );

const FAILURES: readonly (readonly [number, string, string, boolean | undefined])[] = [
  [131047, "131047", "recipient", undefined],
  [470, "131047", "recipient", undefined],
  [131026, "131026", "recipient", undefined],
  [131049, "131049", "recipient", undefined],
  [131050, "131050", "recipient", true],
  [131048, "131048", "account", undefined],
  [132015, "132015", "template", undefined],
  [131000, "131000", "recipient", undefined],
  [130429, "130429", "recipient", undefined],
  [131056, "131056", "recipient", undefined],
  [999999, "999999", "recipient", undefined],
];
for (const [code, errorCode, scope, optedOut] of FAILURES) {
  test(`a failure with ${code} concerns the ${scope}`, () => {
    const event = only(failedWith(code), "status");
    assert.deepEqual(
      [event.status, event.errorCode, event.errorDetail, event.scope, event.optedOut],
      ["failed", errorCode, "The details.", scope, optedOut],
    );
  });
}

test("a failure that is the account's fault is told of the message and of the account", () => {
  const [status, alert, ...more] = failedWith(131042);
  assert.equal(more.length, 0);
  assert.ok(status?.kind === "status" && status.scope === "account");
  assert.deepEqual(alert, {
    kind: "account_alert",
    accountExternalId: NUMBER,
    businessId: WABA,
    code: "131042",
    detail: "The details.",
    blocking: true,
  });
});

test("errors without a message are the account's", () => {
  const details = "Message failed to send because there were too many messages sent";
  const errors = [{ code: 130429, title: "Rate limit hit", error_data: { details } }];
  const event = only(parse(wrap({ errors })), "account_alert");
  assert.deepEqual([event.code, event.detail, event.blocking], ["130429", details, false]);
});

test("an echo of the phone's own app goes to its customer", () => {
  const echo = {
    from: "15550783881",
    to: "16505551234",
    to_user_id: "US.1",
    id: "wamid.E",
    timestamp: "1697043223",
    type: "text",
    text: { body: "from the phone" },
  };
  assert.deepEqual(parse(wrap({ message_echoes: [echo] }, "smb_message_echoes")), [
    {
      kind: "echo",
      accountExternalId: NUMBER,
      externalMessageId: "wamid.E",
      to: { externalId: "16505551234", phone: "16505551234" },
      occurredAt: new Date(1697043223_000),
      content: { type: "text", text: "from the phone", attachments: [] },
    },
  ]);
  const revoke = { ...echo, type: "revoke", revoke: { original_message_id: "wamid.F" } };
  const event = only(parse(wrap({ message_echoes: [revoke] }, "smb_message_echoes")), "deleted");
  assert.equal(event.externalMessageId, "wamid.F");
});

test("a template's status keeps an id beyond 2^53 digit for digit", () => {
  const body = `{"object":"whatsapp_business_account","entry":[{"id":"${WABA}","time":1751247548,"changes":[
    {"field":"message_template_status_update","value":{"event":"REJECTED","message_template_id":90071992547409931,
     "message_template_name":"abandoned_cart","message_template_language":"en","reason":"INVALID_FORMAT"}}]}]}`;
  assert.deepEqual(parse(body), [
    {
      kind: "template_status",
      businessId: WABA,
      externalTemplateId: "90071992547409931",
      name: "abandoned_cart",
      language: "en",
      status: "REJECTED",
      reason: "INVALID_FORMAT",
    },
  ]);
  const approved = { event: "APPROVED", message_template_id: 1689556908129835, reason: "NONE" };
  const event = only(parse(wrap(approved, "message_template_status_update")), "template_status");
  assert.deepEqual(
    [event.externalTemplateId, event.status, event.reason],
    ["1689556908129835", "APPROVED", null],
  );
  const changed = { message_template_id: 5, new_category: "MARKETING" };
  assert.equal(
    only(parse(wrap(changed, "template_category_update")), "template_status").status,
    "CHANGED",
  );
});

for (const [value, optedOut] of [
  ["stop", true],
  ["resume", false],
  ["signup", false],
] as const) {
  test(`the preference ${value} ${optedOut ? "opts out" : "opts in"}`, () => {
    const item = {
      wa_id: "96550000001",
      category: "marketing_messages",
      value,
      timestamp: 1751247548,
    };
    assert.deepEqual(parse(wrap({ user_preferences: [item] }, "user_preferences")), [
      {
        kind: "preference",
        accountExternalId: NUMBER,
        customerExternalId: "96550000001",
        optedOut,
        occurredAt: new Date(1751247548_000),
      },
    ]);
  });
}

const ALERTS: readonly (readonly [string, object, string, boolean])[] = [
  [
    "account_update",
    { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "DISABLE", waba_ban_date: "x" } },
    "DISABLED_UPDATE",
    true,
  ],
  [
    "account_update",
    { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "REINSTATE" } },
    "DISABLED_UPDATE",
    false,
  ],
  [
    "account_update",
    {
      event: "ACCOUNT_RESTRICTION",
      restriction_info: [{ restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING" }],
    },
    "ACCOUNT_RESTRICTION",
    false,
  ],
  ["account_update", { event: "PARTNER_REMOVED" }, "PARTNER_REMOVED", true],
  ["phone_number_quality_update", { event: "FLAGGED", current_limit: "TIER_1K" }, "FLAGGED", false],
  [
    "account_alerts",
    { alert_type: "OBA_REJECTED", alert_description: "no" },
    "OBA_REJECTED",
    false,
  ],
];
for (const [field, value, code, blocking] of ALERTS) {
  test(`${field} ${JSON.stringify(value).slice(0, 50)} is an alert`, () => {
    const event = only(parse(wrap(value, field)), "account_alert");
    assert.deepEqual([event.code, event.blocking, event.businessId], [code, blocking, WABA]);
  });
}

test("unknown fields, good news and other objects are left out", () => {
  assert.deepEqual(parse(wrap({ x: 1 }, "brand_new_field")), []);
  assert.deepEqual(parse(wrap({ event: "UNFLAGGED" }, "phone_number_quality_update")), []);
  assert.deepEqual(parse({ object: "page", entry: [] }), []);
});

test("a time to come, none, or nonsense is the time the call came in", () => {
  for (const timestamp of ["4000000000", "", "x", -1, null, {}, "99999999999999999999"]) {
    const event = only(inbound({ timestamp, type: "text", text: { body: "x" } }), "message");
    assert.deepEqual(event.occurredAt, RECEIVED, JSON.stringify(timestamp));
  }
  const inMs = inbound({ timestamp: 1749416383123, type: "text", text: { body: "x" } });
  assert.deepEqual(only(inMs, "message").occurredAt, new Date(1749416383123));
});

test("a body that is not JSON throws, so that the caller keeps it", () => {
  assert.throws(() => parse("<html>"), SyntaxError);
  assert.throws(() => parse(""), SyntaxError);
});

test("no JSON whatever makes it throw", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      parse(JSON.stringify(value));
    }),
  );
});

const odd = (deeper: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 3, arbitrary: deeper },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
const words = fc.constantFrom(
  "text",
  "image",
  "reaction",
  "interactive",
  "button",
  "contacts",
  "system",
  "edit",
  "revoke",
  "order",
  "location",
  "unsupported",
  "failed",
  "sent",
  "__proto__",
  "constructor",
  "stop",
);
const item = fc.dictionary(
  fc.oneof(
    words,
    fc.constantFrom("id", "type", "from", "from_user_id", "timestamp", "status", "errors", "value"),
    fc.constantFrom(
      "wa_id",
      "user_id",
      "to",
      "context",
      "referral",
      "event",
      "message_template_id",
    ),
  ),
  fc.oneof(words, fc.jsonValue({ maxDepth: 3 })),
);
const lists = fc.constantFrom("messages", "statuses", "contacts", "errors", "message_echoes");
const value = fc.dictionary(
  fc.oneof(lists, fc.constant("user_preferences"), fc.constant("event")),
  odd(fc.array(odd(item), { maxLength: 3 })),
);
const fields = fc.constantFrom(
  "messages",
  "smb_message_echoes",
  "user_preferences",
  "account_update",
  "message_template_status_update",
  "phone_number_quality_update",
  "account_alerts",
);

test("no envelope with odd parts makes it throw, and every event names an account", () => {
  fc.assert(
    fc.property(
      fields,
      value,
      odd(fc.constant({ phone_number_id: 5 })),
      (field, inner, metadata) => {
        for (const event of parse(wrap({ ...(inner as object), metadata }, field))) {
          assert.ok(
            ("accountExternalId" in event && event.accountExternalId !== "") ||
              ("businessId" in event && event.businessId !== null),
          );
          if ("occurredAt" in event) assert.ok(!Number.isNaN(event.occurredAt.getTime()));
        }
      },
    ),
    { numRuns: 500 },
  );
});
