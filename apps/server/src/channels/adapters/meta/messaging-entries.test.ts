import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
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
const one = (item: object) =>
  parse({ object: "page", entry: [{ id: PAGE, time: T, messaging: [item] }] });

test("the dashboard's Test button, other objects and strange shapes give nothing and never throw", () => {
  const value = {
    sender: { id: "12334" },
    recipient: { id: "23245" },
    timestamp: "1527459824",
    message: { mid: "random_mid", text: "random_text" },
  };
  assert.deepEqual(
    parse(
      {
        object: "instagram",
        entry: [{ id: "0", time: 1, changes: [{ field: "messages", value }] }],
      },
      "instagram",
    ),
    [],
  );
  const messaging = [{ ...from, message: { mid: "m_1", text: "x" } }];
  const whole = { object: "page", entry: [{ id: PAGE, time: T, messaging }] };
  assert.equal(parse(whole, "page").length, 1);
  assert.deepEqual(parse(whole, "instagram"), []);
  assert.deepEqual(parse({ object: "page", entry: [{ time: T, messaging }] }), []);
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (a, b, c) => {
      one({ ...from, message: a, postback: b, read: c } as object);
      one({ sender: a, recipient: b, message: { mid: "m", attachments: c, text: a, reply_to: b } });
      one({ ...from, delivery: a, reaction: b, referral: c });
      parse(a);
      parse({ object: "page", entry: b });
    }),
    { numRuns: 300 },
  );
  assert.throws(() => parseMessaging({ body: Buffer.from("{"), headers: {}, query: {} }, "page"));
});

test("several entries name their own accounts; times are seconds or milliseconds and never in the future", () => {
  const item = (id: string, timestamp: unknown) => ({
    id,
    messaging: [
      { sender: { id: PSID }, recipient: { id }, timestamp, message: { mid: id, text: "x" } },
    ],
  });
  const entry = [item("1", 1_723_680_000), item("2", "1723680000000"), item("3", 1.9e12)];
  const events = parse({ object: "page", entry });
  assert.deepEqual(
    events.map((event) =>
      "accountExternalId" in event && "occurredAt" in event
        ? [event.accountExternalId, event.occurredAt.getTime()]
        : [],
    ),
    [
      ["1", T],
      ["2", T],
      ["3", RECEIVED.getTime()],
    ],
  );
});

test("an echo is recognised by its flag or by its sender; without a recipient it belongs to no conversation", () => {
  const message = { mid: "m_e", text: "x" };
  const byPage = { sender: { id: PAGE }, recipient: { id: PSID }, timestamp: T };
  const flagged = { ...message, is_echo: true };
  for (const item of [
    { ...byPage, message },
    { ...byPage, message: flagged },
    { recipient: { id: PSID }, timestamp: T, message: flagged },
  ]) {
    const [event, ...more] = one(item);
    assert.ok(event?.kind === "echo" && more.length === 0);
    assert.deepEqual(event.to, { externalId: PSID, phone: null });
  }
  assert.deepEqual(one({ sender: { id: PAGE }, timestamp: T, message: flagged }), []);
});

test("what the page itself or nobody did is not a customer's message", () => {
  const did = [
    { read: { watermark: T } },
    { delivery: { mids: ["m_1"], watermark: T } },
    { reaction: { mid: "m_1", action: "react", emoji: "❤" } },
    { postback: { mid: "m_2", title: "Go", payload: "G" } },
    { referral: { ref: "r", source: "ADS" } },
  ];
  for (const item of did) {
    assert.equal(one({ ...from, ...item }).length, 1);
    assert.deepEqual(one({ ...from, sender: { id: PAGE }, ...item }), []);
    assert.deepEqual(one({ ...from, sender: undefined, ...item }), []);
  }
  const nameless = [
    { message: { text: "x" } },
    { reaction: { action: "react", emoji: "❤" } },
    { message_edit: { text: "new", num_edit: 1 } },
    { referral: {} },
    { read: {} },
  ];
  for (const item of nameless) assert.deepEqual(one({ ...from, ...item }), []);
});

test("marks cover everything up to their time; malformed names are left out", () => {
  const [status, ...more] = one({
    ...from,
    delivery: { mids: ["m_1", null, {}], watermark: T - 5000 },
  });
  assert.ok(status?.kind === "status" && more.length === 0);
  assert.deepEqual(status, {
    kind: "status",
    accountExternalId: PAGE,
    externalMessageId: "m_1",
    correlationId: null,
    status: "delivered",
    occurredAt: new Date(T - 5000),
    errorCode: null,
    errorDetail: null,
  });
  const [bare] = one({ ...from, delivery: { mids: ["m_1"] } });
  assert.ok(bare?.kind === "status" && bare.occurredAt.getTime() === T);
  assert.deepEqual(one({ ...from, read: { watermark: T - 5000 } }), [
    {
      kind: "watermark",
      accountExternalId: PAGE,
      customerExternalId: PSID,
      status: "read",
      occurredAt: new Date(T - 5000),
      externalMessageId: null,
    },
  ]);
});

test("a change is read like the item that it names, in Meta's form and in the short one", () => {
  const change = (field: string, value: object) =>
    parse(
      {
        object: "instagram",
        entry: [{ id: PAGE, time: T, changes: [{ field, value: { ...from, ...value } }] }],
      },
      "instagram",
    );
  const item = (value: object) =>
    parse(
      { object: "instagram", entry: [{ id: PAGE, time: T, messaging: [{ ...from, ...value }] }] },
      "instagram",
    );
  const edit = { mid: "m_1", text: "new", num_edit: 1 };
  const reaction = { mid: "m_1", action: "react", emoji: "❤" };
  for (const [field, member, value] of [
    ["message_edit", "message_edit", edit],
    ["message_edits", "message_edit", edit],
    ["message_reactions", "reaction", reaction],
    ["messaging_seen", "read", { mid: "m_1" }],
  ] as const) {
    const wanted = item({ [member]: value });
    assert.equal(wanted.length, 1);
    assert.deepEqual(change(field, { [member]: value }), wanted);
    assert.deepEqual(change(field, value), wanted);
  }
  const message = { mid: "m_2", text: "hi" };
  assert.deepEqual(change("messages", { message }), item({ message }));
});

test("the content of an arrival, a pressed button and a reaction", () => {
  const [arrival] = one({ ...from, referral: { ref: "r", source: "ADS", type: "OPEN_THREAD" } });
  assert.ok(arrival?.kind === "message");
  assert.deepEqual(arrival.content, {
    type: "referral",
    text: null,
    attachments: [{ type: "referral", ref: "r", source: "ADS", referralType: "OPEN_THREAD" }],
  });
  const [pressed] = one({ ...from, postback: { mid: "m_5", title: "Go", payload: "G" } });
  assert.ok(pressed?.kind === "message" && pressed.opensWindow);
  assert.deepEqual(pressed.content, {
    type: "button",
    text: "Go",
    attachments: [{ type: "button", text: "Go", payload: "G" }],
  });
  const reactionOf = (reaction: object) => {
    const [event] = one({ ...from, reaction: { mid: "m_1", ...reaction } });
    return event?.kind === "message" ? event.content.text : event;
  };
  assert.equal(reactionOf({ action: "react", reaction: "love" }), "love");
  assert.equal(reactionOf({ action: "unreact", reaction: "love", emoji: "❤" }), null);
});

test("an account that writes to itself has no customer", () => {
  const item = { sender: { id: PAGE }, recipient: { id: PAGE }, timestamp: T };
  for (const more of [{}, { is_echo: true }, { is_echo: true, is_self: true }])
    assert.deepEqual(one({ ...item, message: { mid: "m_1", text: "note", ...more } }), []);
});

test("what the platform cannot show opens the window too, because the customer sent it", () => {
  const told = (message: object) => {
    const [event] = one({ ...from, message: { mid: "m_1", ...message } });
    return event?.kind === "message" ? [event.content.type, event.opensWindow] : event;
  };
  assert.deepEqual(told({ is_unsupported: true, text: "x" }), ["unsupported", true]);
  assert.deepEqual(told({ attachments: [{ type: "constructor", payload: {} }] }), [
    "unsupported",
    true,
  ]);
});

test("an item without a valid time gets the time of its entry", () => {
  const timeOf = (timestamp: unknown, time: unknown) => {
    const messaging = [{ ...from, timestamp, message: { mid: "m_1", text: "x" } }];
    const [event] = parse({ object: "page", entry: [{ id: PAGE, time, messaging }] });
    return event?.kind === "message" ? event.occurredAt.getTime() : event;
  };
  for (const timestamp of [undefined, null, "", "soon", 0, -T, 4e12])
    assert.equal(timeOf(timestamp, T), T);
  assert.equal(timeOf(undefined, T / 1000), T);
  assert.equal(timeOf(undefined, undefined), RECEIVED.getTime());
  assert.equal(timeOf(1e12, T), 1e12);
});

test("an item without an id gets one that a repeated call repeats, also when our clock is behind", () => {
  const unnamed = [
    { reaction: { mid: "m_1", action: "react", emoji: "❤" } },
    { postback: { title: "Go", payload: "G" } },
    { postback: { title: "Go" } },
    { referral: { ref: "r", source: "ADS" } },
    { referral: { ad_id: 6045246247433, source: "ADS" } },
  ];
  const ids = (delayMs: number, timestamp: number | undefined) => {
    // Later than our clock says, at both calls.
    const entry = [
      { id: PAGE, time: RECEIVED.getTime() + 5000, messaging: unnamed.map(placed(timestamp)) },
    ];
    const body = Buffer.from(JSON.stringify({ object: "page", entry }));
    const receivedAt = new Date(RECEIVED.getTime() + delayMs);
    return parseMessaging({ body, headers: {}, query: {}, receivedAt }, "page").map((event) =>
      event.kind === "message" ? event.externalMessageId : event.kind,
    );
  };
  const placed = (timestamp: number | undefined) => (item: object) => ({
    ...from,
    timestamp,
    ...item,
  });
  for (const timestamp of [RECEIVED.getTime() + 5000, undefined]) {
    const first = ids(0, timestamp);
    assert.equal(new Set(first).size, unnamed.length);
    assert.deepEqual(ids(1000, timestamp), first);
  }
  assert.notDeepEqual(ids(0, T), ids(0, T + 1));
});
