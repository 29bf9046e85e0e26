import { KEY } from "../../../test/actors.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Desk, FakeGraph, json, startMessaging } from "../../../test/messaging.ts";
import { buildApp } from "../../app.ts";
import { sql } from "../../db/sql.ts";
import { AppError } from "../../errors.ts";
import { createDispatcher } from "../send/dispatch-replies.ts";
import { atOnce } from "../send/at-once.fixture.ts";
import { receiveEvents } from "./receive-events.ts";
import { acceptMessage } from "../accept/accept-message.ts";

/**
 * Two processes on one database do everything at once: replies up to the limit, customers' messages, dispatch, and
 * callbacks that come twice and in any order. Nothing may be lost, doubled or miscounted.
 */
test("after a storm in two processes every count equals the rows", async () => {
  await using m = await startMessaging();
  const { t } = m;
  const graph = new FakeGraph();
  const masterKey = randomBytes(32);
  const make = () =>
    buildApp({ ...t.app.config }, { masterKey }, { clock: t.clock, providerHttp: graph });
  await using one = await make();
  await using two = await make();
  const apps = [one, two];
  const desks: Desk[] = [];
  for (let index = 0; index < 3; index++)
    desks.push(await Desk.open({ ...m, t: { ...t, app: one } }, { messages: 40 }));
  const customers = ["96591000001", "96591000002", "96591000003", "96591000004"];
  const threads: { desk: Desk; number: string; id: string }[] = [];
  for (const desk of desks)
    for (const number of customers) threads.push({ desk, number, id: await desk.hears(number) });

  let next = 0;
  const called: Promise<unknown>[] = [];
  graph.answer = async (_, body) => {
    const id = `wamid.s${++next}`;
    const correlationId = body.biz_opaque_callback_data;
    const [row] = await one.db.query<{ workspace_id: string }>(
      sql`select workspace_id from message where id = ${correlationId}`,
    );
    const desk = desks.find((each) => each.workspaceId === row?.workspace_id) ?? assert.fail();
    const report = (status: "sent" | "delivered" | "read") =>
      desk.status({
        status,
        externalMessageId: id,
        correlationId: next % 3 ? correlationId : null,
      });
    const reports = [report("read"), report("sent"), report("delivered")].slice(next % 3);
    for (const app of apps) called.push(receiveEvents(app, reports));
    return json(200, { messages: [{ id }] });
  };
  let refused = 0;
  const work: Promise<unknown>[] = [];
  for (let round = 0; round < 15; round++) {
    for (const [index, { desk, number, id }] of threads.entries()) {
      const app = apps[(round + index) % 2] ?? one;
      const input = { conversationId: id, text: `r${round}` } as const;
      work.push(
        acceptMessage(KEY, app, desk.workspaceId, input).catch((error: unknown) => {
          assert.ok(error instanceof AppError && error.code === "MESSAGE_LIMIT_REACHED");
          refused++;
        }),
      );
      const message = desk.message(number, `in${round}`);
      for (const each of apps) work.push(receiveEvents(each, [message]));
    }
  }
  const dispatchers = apps.map((app) => createDispatcher(app, atOnce));
  const outbox = async () => (await one.db.query(sql`select 1 from message_outbox`)).length;
  let open = true;
  const dispatching = dispatchers.map(async (dispatcher) => {
    while (open || (await outbox()) > 0) {
      await dispatcher.claim();
      await Promise.all(dispatcher.inFlight);
    }
  });
  await Promise.all(work);
  open = false;
  await Promise.all(dispatching);
  await Promise.all(called);
  await one.drain();

  assert.equal(refused, 3 * (4 * 15 - 40));
  assert.equal(graph.sent.length, 120);
  assert.equal(new Set(graph.sent.map((sent) => sent.biz_opaque_callback_data)).size, 120);
  for (const desk of desks) {
    const id = desk.workspaceId;
    const [row] = await one.db.query(sql`
      select (select used from usage_month where workspace_id = ${id}) as used,
        (select sent || '/' || failed || '/' || received from usage_day where workspace_id = ${id}) as meter,
        (select count(*) from message where workspace_id = ${id} and direction = 'inbound') as inbound,
        (select sum(unread_count)::int from conversation where workspace_id = ${id}) as unread,
        (select count(*) from message where workspace_id = ${id} and status in ('sent', 'failed')) as unmoved,
        (select count(*) from event where workspace_id = ${id} and type = 'message.received') as told`);
    assert.deepEqual(row, {
      used: 40,
      meter: "40/0/64",
      inbound: 64,
      unread: 64,
      unmoved: 0,
      told: 64,
    });
  }
  const [database] = await one.db.query<{ deadlocks: number }>(
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  assert.equal(database?.deadlocks, 0, "the order of locks holds");
});
