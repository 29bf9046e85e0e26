import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { START } from "../../chat/read-thread.ts";
import type { Context } from "../../context.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { WebShop } from "../../../test/web-shop.ts";
import { SlowReader } from "../connections/slow-reader.fixture.ts";
import { HUB_LIMITS, StreamHub, type HubLimits } from "./stream-hub.ts";

let t: TestApp;
before(async () => (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

/** The context without notes, so that a stream learns of changes only by its looks. Counts statements. */
function deaf(): { context: Context; statements: () => number } {
  let count = 0;
  const query = <Row extends object>(statement: Sql) => {
    count++;
    return t.app.db.query<Row>(statement);
  };
  const topics = { ...t.app.topics, connected: false, subscribe: () => () => {} };
  return {
    context: { ...t.app, db: { ...t.app.db, query }, topics },
    statements: () => count,
  };
}

async function shopWith(words: readonly string[], externalId = "v_1"): Promise<WebShop> {
  const shop = await WebShop.open(t.app, "");
  for (const text of words) await hears(shop, text, externalId);
  return shop;
}

let written = 0;
async function hears(shop: WebShop, text: string, externalId = "v_1"): Promise<void> {
  await receiveEvents(t.app, [
    {
      account: { workspaceId: shop.workspaceId, channelId: shop.channelId, channelType: "WEB" },
      event: {
        kind: "message",
        accountExternalId: "x",
        externalMessageId: `${externalId}:${++written}`,
        from: { externalId, phone: null, name: null },
        occurredAt: t.clock.now(),
        content: { type: "text", text, attachments: [] },
        opensWindow: true,
      },
    },
  ]);
}

function add(hub: StreamHub, shop: WebShop, externalId = "v_1"): SlowReader {
  const reader = new SlowReader();
  const { workspaceId, channelId } = shop;
  hub.add({ workspaceId, channelId, externalId, visitorId: externalId }, START, reader);
  return reader;
}

/** Looks only when a test asks: the hub's own second would count as a statement of the test. */
const limits = (more: Partial<HubLimits> = {}): HubLimits => ({
  ...HUB_LIMITS,
  lookMs: Infinity,
  blindLookMs: Infinity,
  ...more,
});

test("changes without notes are found by one look for all streams, with one statement and one read for each stream behind", async () => {
  const { context, statements } = deaf();
  const hub = new StreamHub(context, limits({ perVisitor: 1_000 }));
  const shop = await shopWith(["before"]);
  const readers = Array.from({ length: 200 }, (_, n) => add(hub, shop, `v_${n}`));
  await readers[1]?.heard("before");
  await hub.look();
  const idle = statements();
  for (let round = 0; round < 5; round++) await hub.look();
  assert.equal(statements() - idle, 5, "an idle look is one statement");
  await hears(shop, "missed");
  await hub.look();
  await readers[1]?.heard("missed");
  assert.equal(readers.filter((reader) => reader.text.includes("missed")).length, 1);
  hub.close();
  assert.equal(hub.size, 0);
});

test("a stuck reader is awaited with a bounded buffer and then cut off", async () => {
  const words = Array.from({ length: 150 }, (_, n) => `${n} ${"x".repeat(4_000)}`);
  const shop = await shopWith(words);
  const hub = new StreamHub(t.app, limits({ patienceMs: -1 }));
  const reader = new SlowReader();
  reader.stuck = true;
  const { workspaceId, channelId } = shop;
  const owner = { workspaceId, channelId, externalId: "v_1", visitorId: "v_1" };
  const stream = hub.add(owner, START, reader);
  while (reader.writableLength === 0) await t.app.db.query(sql`select 1`);
  await hears(shop, "one more");
  assert.ok(reader.writableLength < 80 * 1024, `${reader.writableLength} bytes wait`);
  assert.equal(hub.size, 1);
  hub.tick();
  assert.deepEqual([hub.size, reader.destroyed], [0, true]);
  stream.pump();
});

test("a slow reader that reads on gets everything in order, once", async () => {
  const words = Array.from({ length: 150 }, (_, n) => `#${n} ${"x".repeat(4_000)}`);
  const shop = await shopWith(words);
  const hub = new StreamHub(t.app, limits());
  const reader = new SlowReader();
  reader.stuck = true;
  const { workspaceId, channelId } = shop;
  hub.add({ workspaceId, channelId, externalId: "v_1", visitorId: "v_1" }, START, reader);
  while (reader.writableLength === 0) await t.app.db.query(sql`select 1`);
  reader.release();
  await reader.heard("#149 ");
  const seen = [...reader.text.matchAll(/#(\d+) /g)].map(([, n]) => Number(n));
  assert.deepEqual(
    seen,
    Array.from({ length: 150 }, (_, n) => n),
  );
  hub.close();
});

test("a full process refuses the next stream, and so does one that stops", async () => {
  const hub = new StreamHub(t.app, limits({ perProcess: 1 }));
  const shop = await shopWith([]);
  hub.admit();
  const reader = add(hub, shop);
  assert.throws(() => hub.admit(), { code: "OVERLOADED" });
  hub.close();
  assert.match(reader.text, /event: end\ndata: {"reason":"shutdown"}/);
  assert.throws(() => hub.admit(), { code: "OVERLOADED" });
});

test("pings come when they are due", async () => {
  const hub = new StreamHub(t.app, limits({ pingMs: 2_000 }));
  const reader = add(hub, await shopWith([]));
  hub.tick();
  assert.equal(reader.text, "");
  hub.tick();
  assert.equal(reader.text, "event: ping\ndata: {}\n\n");
  hub.close();
});
