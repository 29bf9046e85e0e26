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
  assert.deepEqual(parse({ object: "instagram", entry: [] }, "page"), []);
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

test("several entries name their own accounts; times are seconds or milliseconds and never to come", () => {
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

test("what has no id of its own gets one that a repeated call repeats, also when our clock is behind", () => {
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
