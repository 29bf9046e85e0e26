import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { streaming } from "../../test/streaming.ts";
import { bareWorkspace } from "../../test/webhook-receiver.ts";
import type { Context } from "../context.ts";
import { openDatabase } from "../db/database.ts";
import { Sql, sql } from "../db/sql.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { createDeliveryLanes } from "./delivery-lanes.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { emitEvents } from "./emit-events.ts";
import { enableEndpoint } from "./enable-endpoint.ts";
import { findDelivery, listDeliveries } from "./list-deliveries.ts";
import { pruneEvents } from "./prune-events.ts";
import { readFeed } from "./read-feed.ts";
import { redeliver } from "./redeliver.ts";
import { sendTestEvent } from "./send-test-event.ts";

// Nobody gathers statistics here, and statements keep the plan that they got while the tables were empty. What they
// read must be limited all the same. (It was 1,000 pages for an event, and 76,000 for sending one again.)

/** The number of events; each goes to two endpoints. */
const STORED = 25_000;
const url = "https://127.0.0.1/";

let t: TestApp;
/** It has one connection, so that everything is planned and counted there. */
let context: Context;
let workspaceId: string;
let well: string;
let other: string;
let eventId: string;

before(async () => {
  t = await startTestApp();
  connect();
  for (const table of ["delivery", "delivery_attempt", "event", "endpoint", "event_sequence"])
    await context.db.query(new Sql([`alter table ${table} set (autovacuum_enabled = false)`], []));
  workspaceId = await bareWorkspace(t);
  well = (await createEndpoint(OPERATOR, context, workspaceId, { url })).id;
  other = (await createEndpoint(OPERATOR, context, workspaceId, { url })).id;
  // This event is older than all others, and the only one of its kind.
  await sendTestEvent(OPERATOR, context, workspaceId, well);
  // From the sixth time on a prepared statement keeps one plan.
  for (let time = 0; time < 7; time++) for (const { run } of works) await run();
  await fill();
});
after(async () => {
  await context.db.close();
  await t[Symbol.asyncDispose]();
});

function connect(): void {
  const answer = { status: 204, headers: {}, body: Buffer.alloc(0) };
  const guardedHttp = streaming({ request: () => Promise.resolve(answer) });
  const db = openDatabase({ connectionString: t.databaseUrl, poolSize: 1 });
  context = { ...t.app, db, guardedHttp };
}

/** Three events of one message. */
async function emit(): Promise<void> {
  const data = {
    messageId: t.app.ids.next(),
    conversationId: null,
    contactId: null,
    channelId: null,
    channelType: null,
    previousStatus: null,
    status: "sent",
    errorCode: null,
    errorMessage: null,
    occurredAt: "",
  } as const;
  const event = { workspaceId, type: "message.status", data } as const;
  await context.db.transaction((tx) => emitEvents(context, tx, [event, event, event]));
}

async function drain(): Promise<void> {
  const lanes = createDeliveryLanes(context);
  while ((await lanes.turn()) > 0 || lanes.running > 0)
    await new Promise((resolve) => setImmediate(resolve));
}

async function list(state?: string): Promise<void> {
  const page = (await listDeliveries(context, workspaceId, well, { limit: 10, state })).items;
  eventId = page[0]?.eventId ?? eventId;
}

/** The operations. Each has a limit: so many pages of tables and indexes may it read. */
const works: readonly { name: string; pages: number; run: () => Promise<unknown> }[] = [
  { name: "three events are emitted to two endpoints", pages: 250, run: emit },
  { name: "they are delivered", pages: 500, run: drain },
  {
    name: "a page of the feed is read",
    pages: 60,
    run: () => readFeed(context, workspaceId, { after: 1, limit: 10, types: null }),
  },
  { name: "ten deliveries are listed", pages: 80, run: () => list() },
  { name: "ten that arrived are listed", pages: 80, run: () => list("delivered") },
  { name: "what is pending is listed", pages: 40, run: () => list("pending") },
  { name: "what was given up is listed", pages: 40, run: () => list("exhausted") },
  {
    name: "one delivery is shown",
    pages: 30,
    run: () => findDelivery(context, workspaceId, well, eventId),
  },
  {
    name: "one delivery is sent again",
    pages: 80,
    run: () => redeliver(OPERATOR, context, workspaceId, well, { eventId }),
  },
  {
    name: "what was given up is sent again",
    // First it looks at six of 50,000 events, which halve the range down to a batch. 58 pages were seen.
    pages: 90,
    run: () => redeliver(OPERATOR, context, workspaceId, well, { since: t.clock.now() }),
  },
  {
    name: "an endpoint is disabled",
    pages: 40,
    run: () => disableEndpoint(OPERATOR, context, workspaceId, other),
  },
  { name: "nothing is old enough to go", pages: 20, run: () => pruneEvents(context, 10) },
];

/** Stores 25,000 deliveries that arrived and 25,000 that are held, 2,000 of which wait for their next try. */
async function fill(): Promise<void> {
  const { db } = context;
  const at = t.clock.now();
  const later = new Date(at.getTime() + 3_600_000);
  await db.query(sql`
    insert into event select ${workspaceId}, s.last + n, uuidv7(), 'message.status', '{}', ${at}
    from event_sequence s, generate_series(1, ${STORED}) n where s.workspace_id = ${workspaceId}`);
  await db.query(sql`
    insert into delivery (workspace_id, endpoint_id, event_sequence, state, attempts, order_key, next_attempt_at,
      attempted_at, created_at)
    select ${workspaceId}, e.id, s.last + n, case when e.id = ${other} then 'pending' else 'delivered' end, 1,
      gen_random_uuid(), case when n > 2000 then ${at}::timestamptz else ${later}::timestamptz end, ${at}, ${at}
    from event_sequence s, endpoint e, generate_series(1, ${STORED}) n
    where s.workspace_id = ${workspaceId} and e.workspace_id = ${workspaceId}`);
  await db.query(
    sql`update event_sequence set last = last + ${STORED} where workspace_id = ${workspaceId}`,
  );
}

/** The number of pages looked at so far. */
async function looked(): Promise<number> {
  const { db } = context;
  await db.query(sql`select pg_stat_force_next_flush()`);
  const [row] = await db.query<{ pages: number }>(sql`
    select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float as pages
    from pg_statio_user_tables
    where relname in ('delivery', 'delivery_attempt', 'event', 'endpoint', 'event_sequence')`);
  return row?.pages ?? 0;
}

async function pagesOf(run: () => Promise<unknown>): Promise<number> {
  const before = await looked();
  await run();
  return (await looked()) - before;
}

for (const planned of ["while the tables were empty", "for the values given"]) {
  for (const { name, pages, run } of works) {
    test(`${name}: it reads few pages without statistics, planned ${planned}`, async () => {
      const seen = await pagesOf(run);
      assert.ok(seen > 0 && seen <= pages, `${seen} pages`);
    });
  }

  test(`planned ${planned}, enabling finds deliveries that wait for their next try by the keys`, async () => {
    await disableEndpoint(OPERATOR, context, workspaceId, other);
    t.clock.advance(1);
    const seen = await pagesOf(() => enableEndpoint(OPERATOR, context, workspaceId, other));
    assert.ok(seen <= 2_000 * 40, `${seen} pages`);
    await disableEndpoint(OPERATOR, context, workspaceId, other);
    // For the second round: another connection makes its plans anew.
    await context.db.close();
    connect();
  });
}

test("a rare kind of event is searched for one window of deliveries at a time", async () => {
  const rare = (before?: number) =>
    listDeliveries(context, workspaceId, well, { type: "endpoint.test", before });
  const first = await rare();
  assert.deepEqual(first.items, []);
  const second = await rare(first.next ?? assert.fail("there is more to be looked at"));
  assert.deepEqual(
    [second.items.length, second.items[0]?.type, second.next],
    [1, "endpoint.test", null],
  );
});

test("a claim costs nothing for endpoints without waiting deliveries", async () => {
  await drain();
  const few = await pagesOf(drain);
  await context.db.query(sql`
    insert into endpoint (workspace_id, id, url, secret_sealed, created_at)
    select ${workspaceId}, gen_random_uuid(), ${url}, '', ${t.clock.now()} from generate_series(1, 1000)`);
  const many = await pagesOf(drain);
  assert.ok(many <= few + 20, `${many} pages with a thousand more, ${few} without`);
});
