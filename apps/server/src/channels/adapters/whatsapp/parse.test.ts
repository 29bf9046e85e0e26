import assert from "node:assert/strict";
import { test } from "node:test";
import type { InboundEvent } from "../../adapter.ts";
import {
  base,
  inbound,
  NUMBER,
  only,
  parse,
  RECEIVED,
  wrap,
} from "../../../../test/whatsapp-calls.ts";

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

test("a withdrawn message and a changed one name the earlier one", () => {
  const revoke = { type: "revoke", revoke: { original_message_id: "wamid.O" } };
  assert.deepEqual(only(inbound(revoke), "deleted"), {
    kind: "deleted",
    accountExternalId: NUMBER,
    externalMessageId: "wamid.O",
    customerExternalIds: ["16505551234", "US.13491208655302741918"],
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
    "a phone whose user id the contact alone shows",
    { from: "96550000001", from_user_id: undefined },
    [{ profile: { name: "Sara" }, wa_id: "96550000001", user_id: USER_ID }],
    { externalId: "96550000001", phone: "96550000001", name: "Sara", alternateId: USER_ID },
  ],
  [
    "nobody in the message, a user id in its one contact",
    { from: undefined, from_user_id: undefined },
    [{ profile: { name: "Sara" }, user_id: USER_ID }],
    { externalId: USER_ID, phone: null, name: "Sara" },
  ],
  [
    "nobody in the message, both ids in its one contact",
    { from: undefined, from_user_id: undefined },
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

test("a message without a sender beside two contacts belongs to neither", () => {
  const message = { id: "wamid.1", type: "text", text: { body: "x" } };
  const contacts = [{ user_id: USER_ID }, { wa_id: "96550000001" }];
  assert.deepEqual(parse(wrap({ contacts, messages: [message] })), []);
  assert.deepEqual(parse(wrap({ messages: [message] })), []);
});

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

test("a call full of senders is read in linear time", () => {
  // When each sender was looked up among all, four megabytes of them blocked the process for 30 s.
  const phones = Array.from(
    { length: 10_000 },
    (_, index) => `9655${String(index).padStart(7, "0")}`,
  );
  const contacts = phones.map((wa_id) => ({ profile: { name: wa_id }, wa_id }));
  const text = { type: "text", text: { body: "x" } };
  const messages = phones.map((from) => ({ ...base, ...text, from, id: `wamid.${from}` }));
  const call = JSON.stringify(wrap({ contacts, messages }));
  const before = process.cpuUsage();
  const events = parse(call);
  const { user } = process.cpuUsage(before);
  assert.equal(events.length, phones.length);
  assert.ok(
    events.every((event) => event.kind === "message" && event.from.name === event.from.phone),
  );
  assert.ok(user < 2_000_000, `${user} microseconds of CPU`);
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

test("text that the database cannot hold is repaired", () => {
  const event = only(inbound({ type: "text", text: { body: "a\0b\ud83d" } }), "message");
  assert.equal(event.content.text, "a\ufffdb\ufffd");
});

test("unknown fields, good news and other objects are left out", () => {
  assert.deepEqual(parse(wrap({ x: 1 }, "brand_new_field")), []);
  assert.deepEqual(parse(wrap({ event: "UNFLAGGED" }, "phone_number_quality_update")), []);
  for (const event of [
    "AD_ACCOUNT_LINKED",
    "AUTH_INTL_PRICE_ELIGIBILITY_UPDATE",
    "BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE",
    "MM_LITE_TERMS_SIGNED",
    "PARTNER_ADDED",
    "PARTNER_APP_INSTALLED",
    "VERIFIED_ACCOUNT",
    "VOLUME_BASED_PRICING_TIER_UPDATE",
  ])
    assert.deepEqual(parse(wrap({ event }, "account_update")), []);
  const whole = wrap({ messages: [{ ...base, type: "text", text: { body: "x" } }] });
  assert.equal(parse(whole).length, 1);
  assert.deepEqual(parse({ ...whole, object: "page" }), []);
});

test("an item without a number, a message or a person is left out, and the rest of the call is read", () => {
  const text = { type: "text", text: { body: "x" } };
  const sound = { ...base, ...text };
  const nobodys = { ...sound, from: undefined };
  const nameless = { ...sound, id: undefined };
  assert.equal(parse(wrap({ messages: [nobodys, nameless, sound] })).length, 1);
  const status = { id: "wamid.s", status: "sent", timestamp: "1" };
  assert.equal(parse(wrap({ statuses: [{ ...status, id: null }, status] })).length, 1);
  const echo = { from: "15550783881", to: "16505551234", id: "wamid.E", timestamp: "1", ...text };
  const echoes = [
    { ...echo, to: undefined },
    { ...echo, id: undefined },
    { ...echo, type: "system" },
    echo,
  ];
  assert.equal(parse(wrap({ message_echoes: echoes }, "smb_message_echoes")).length, 1);
  const noNumber = (value: object, field: string) =>
    parse(wrap({ ...value, metadata: undefined }, field));
  assert.deepEqual(noNumber({ messages: [sound], statuses: [status] }, "messages"), []);
  assert.deepEqual(noNumber({ message_echoes: [echo] }, "smb_message_echoes"), []);
  const preference = { wa_id: "96550000001", value: "stop", timestamp: 1 };
  assert.deepEqual(noNumber({ user_preferences: [preference] }, "user_preferences"), []);
  const earlier = [
    { type: "revoke", revoke: {} },
    { type: "edit", edit: { message: { type: "text", text: { body: "new" } } } },
    { type: "system", system: { type: "user_changed_number" } },
    { type: "system", from: undefined, system: { type: "user_changed_number", wa_id: "9655" } },
  ];
  for (const message of earlier) {
    const events = inbound(message);
    assert.ok(
      events.every((event) => event.kind === "message" && event.content.type === "unsupported"),
      JSON.stringify(events),
    );
  }
});

test("the phone app's own messages go to the customer they name, by number, user id or both", () => {
  const toOf = (fields: object) => {
    const echo = { id: "wamid.E", timestamp: "1", type: "text", text: { body: "x" }, ...fields };
    return only(parse(wrap({ message_echoes: [echo] }, "smb_message_echoes")), "echo").to;
  };
  const [phone, userId] = ["16505551234", USER_ID];
  assert.deepEqual(toOf({ to: phone }), { externalId: phone, phone });
  assert.deepEqual(toOf({ to: `+${phone}` }), { externalId: phone, phone });
  assert.deepEqual(toOf({ to_user_id: userId }), { externalId: userId, phone: null });
  assert.deepEqual(toOf({ to: userId }), { externalId: userId, phone: null });
  assert.deepEqual(toOf({ to: userId, to_user_id: userId }), { externalId: userId, phone: null });
});

test("an opt-out names its customer by number, user id or both; another word is not one", () => {
  const preferences = (fields: object) => {
    const item = { category: "marketing_messages", value: "stop", timestamp: 1, ...fields };
    return parse(wrap({ user_preferences: [item] }, "user_preferences")).map((event) =>
      event.kind === "preference" ? [event.customerExternalId, event.alternateId] : event,
    );
  };
  const ids = { wa_id: "96550000001", user_id: USER_ID };
  assert.deepEqual(preferences(ids), [["96550000001", USER_ID]]);
  assert.deepEqual(preferences({ user_id: USER_ID }), [[USER_ID, undefined]]);
  assert.deepEqual(preferences({ ...ids, value: "STOP" }), [["96550000001", USER_ID]]);
  assert.deepEqual(preferences({}), []);
  assert.deepEqual(preferences({ ...ids, value: "pause" }), []);
  assert.deepEqual(preferences({ ...ids, value: undefined }), []);
});

test("the older word for a new number is understood, and the first contact of two is the sender's", () => {
  const system = { type: "user_changed_number", new_wa_id: "16505559999" };
  const event = only(inbound({ type: "system", system }), "number_changed");
  assert.deepEqual([event.fromExternalId, event.toExternalId], ["16505551234", "16505559999"]);
  const named = (name: string) => ({ profile: { name }, wa_id: base.from });
  const message = { ...base, type: "text", text: { body: "x" } };
  const call = wrap({ contacts: [named("Sara"), named("Ali")], messages: [message] });
  assert.equal(only(parse(call), "message").from.name, "Sara");
});

test("a new number or user id names the old one and the new one, with the other id beside it", () => {
  const [P1, P2, U1, U2] = ["96550000001", "96550000002", "KW.1", "KW.2"];
  const moved = (events: InboundEvent[]) =>
    events.map((event) =>
      event.kind === "number_changed"
        ? [event.fromExternalId, event.toExternalId, event.alternateId, event.occurredAt]
        : event,
    );
  const at = new Date(1749416383_000);
  const told = (ids: object, system: object) =>
    moved(inbound({ ...ids, type: "system", system: { type: "user_changed_number", ...system } }));
  const hidden = { from: undefined };
  assert.deepEqual(told({ from: P1 }, { wa_id: P2, user_id: U2 }), [[P1, P2, U2, at]]);
  assert.deepEqual(told({ from: P1 }, { wa_id: P2 }), [[P1, P2, undefined, at]]);
  const all = { wa_id: P2, user_id: U2, previous_user_id: U1 };
  assert.deepEqual(told({ from: P1 }, all), [[P1, P2, U2, at]]);
  assert.deepEqual(told({ from: P1 }, { user_id: U2 }), [[P1, U2, undefined, at]]);
  // A customer without a visible number: the former id counts, and not the one that the message has already.
  const newer = { ...hidden, from_user_id: U2 };
  const both = { user_id: U2, previous_user_id: U1 };
  assert.deepEqual(told(newer, both), [[U1, U2, undefined, at]]);
  assert.deepEqual(told({ ...hidden, from_user_id: U1 }, { user_id: U2 }), [
    [U1, U2, undefined, at],
  ]);
  assert.deepEqual(told({ from: U1 }, { user_id: U2 }), [[U1, U2, undefined, at]]);
  const updated = (item: object, more: object = {}) =>
    moved(
      parse(
        wrap({ user_id_update: [{ timestamp: "1749416383", ...item }], ...more }, "user_id_update"),
      ),
    );
  const user_id = { previous: U1, current: U2 };
  assert.deepEqual(updated({ user_id, wa_id: P1 }), [[U1, P1, U2, at]]);
  assert.deepEqual(updated({ user_id }), [[U1, U2, undefined, at]]);
  for (const same of [{ previous: U1, current: U1 }, { previous: U1 }, { current: U2 }, undefined])
    assert.deepEqual(updated({ user_id: same, wa_id: P1 }), []);
  assert.deepEqual(updated({ user_id }, { metadata: undefined }), []);
});

test("an item without a time gets the time of its entry", () => {
  const [entry] = wrap({ errors: [{ code: 131042, title: "Payment" }] }).entry;
  const call = { object: "whatsapp_business_account", entry: [{ ...entry, time: 1751247548 }] };
  const event = only(parse(call), "account_alert");
  assert.deepEqual(event.occurredAt, new Date(1751247548_000));
});

test("a future, missing or nonsensical time becomes the time of the call", () => {
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
