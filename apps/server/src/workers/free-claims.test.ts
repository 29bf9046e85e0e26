import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import pg from "pg";
import type { TestApp } from "../../test/harness.ts";
import { Desk, startMessaging } from "../../test/messaging.ts";
import { streaming } from "../../test/streaming.ts";
import { bareWorkspace, emitSome, type Receiver } from "../../test/webhook-receiver.ts";
import type { Context } from "../context.ts";
import { createProcessLife } from "../db/process-life.ts";
import { sql } from "../db/sql.ts";
import { createEndpoint } from "../webhooks/create-endpoint.ts";
import { createDeliveryLanes } from "../webhooks/delivery-lanes.ts";
import { startWebhookStand, type WebhookStand } from "../webhooks/webhook.fixture.ts";
import { claimReplies } from "../messages/send/outbox-store.ts";
import { beginReplies } from "../messages/send/settle-replies.ts";

let t: TestApp;
let receiver: Receiver;
let stand: WebhookStand;
before(async () => void ({ t, receiver } = stand = await startWebhookStand()));
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => stand.calm());

/**
 * The context of a process that was last seen three seconds ago. `session` is the session by which it lives, if it
 * does.
 */
async function another(app: TestApp): Promise<{ context: Context; session: pg.Client }> {
  const id = app.app.ids.next();
  const session = new pg.Client({ connectionString: app.databaseUrl });
  await session.connect();
  await session.query("select pg_advisory_lock(hashtextextended($1, 0))", [`process ${id}`]);
  await session.query("insert into process values ($1, clock_timestamp() - interval '3 s')", [id]);
  return { context: { ...app.app, life: { ...app.app.life, id } }, session };
}

/** Takes every request and answers none, as when the process is stopped or killed during a call. */
const mute = streaming({ request: () => new Promise<never>(() => {}) });

test("deliveries of a killed process are made by another at once; those of a paused one when its lease ends", async () => {
  for (const [path, killed] of [
    ["/killed", true],
    ["/paused", false],
  ] as const) {
    const id = await bareWorkspace(t);
    await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}${path}` });
    await emitSome(t, id);
    const { context, session } = await another(t);
    assert.equal(await createDeliveryLanes({ ...context, guardedHttp: mute }).turn(), 1);
    if (killed) await session.end();
    await t.app.drain();
    const arrived = () => receiver.received.filter((one) => one.path === path).length;
    assert.equal(arrived(), killed ? 1 : 0, path);
    t.clock.advance(20_000);
    await t.app.drain();
    assert.equal(arrived(), 1, path);
    if (!killed) await session.end();
  }
  assert.deepEqual(
    await t.app.life.findGone().then((ids) => ids.length),
    1,
    "the paused one ended now",
  );
  await t.app.drain();
  assert.deepEqual(await t.app.db.query(sql`select id from process`), []);
});

test("a rest after a failure is no claim: it stays when the process that saw the failure is gone", async () => {
  const id = await bareWorkspace(t);
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/down` });
  receiver.answers.set("/down", (response) => response.writeHead(500).end());
  await emitSome(t, id, 2);
  const { context, session } = await another(t);
  const lanes = createDeliveryLanes(context);
  await lanes.turn();
  await lanes.news();
  await lanes.stop();
  await session.end();
  await t.app.drain();
  assert.equal(receiver.received.length, 1);
  t.clock.advance(1_000);
  await t.app.drain();
  assert.equal(receiver.received.length, 2);
});

test("a reply that a killed process had claimed goes out at once; a reply whose call was begun is not sent again", async () => {
  await using m = await startMessaging();
  const desk = await Desk.open(m);
  const lanes = [await desk.hears("201001"), await desk.hears("201002")];
  const [claimed, begun] = await Promise.all(lanes.map((one) => desk.replies(one, "first")));
  assert.ok(claimed && begun);
  const { context, session } = await another(m.t);
  const now = m.t.clock.now();
  const leaseUntil = new Date(now.getTime() + 30_000);
  const claims = await claimReplies(m.t.app.db, {
    now,
    leaseUntil,
    by: context.life.id,
    limit: 10,
    busy: [],
  });
  const call = claims.find(({ id }) => id === begun.id);
  assert.ok(call && claims.length === 2);
  await m.t.app.groupCommit.submit(beginReplies, call);
  await desk.replies(call.conversationId, "next");
  const sent = () => m.graph.sent.map((one) => `${one.to} ${one.text?.body}`).toSorted();
  await m.t.app.drain();
  assert.deepEqual(sent(), [], "the process lives");
  await session.end();
  await m.t.app.drain();
  assert.deepEqual(sent(), ["201001 first", "201002 next"]);
  assert.deepEqual(await desk.outbox(), [{ message_id: begun.id, state: "unknown" }]);
});

test("a process that loses its session goes on under another id, and a living process is never taken for gone", async () => {
  const options = { connectionString: t.databaseUrl, db: t.app.db, ids: t.app.ids, log: t.app.log };
  const [one, two] = [createProcessLife(options), createProcessLife(options)];
  const unseen = one.id;
  await Promise.all([one.begin(), two.begin()]);
  const first = one.id;
  assert.notEqual(first, unseen);
  const age = (id: string) =>
    t.app.db.query(sql`update process set seen_at = seen_at - interval '3 s' where id = ${id}`);
  await age(first);
  // Others ask about it, and its lock says that it lives.
  const buried = await t.app.db.transaction((tx) => two.bury(tx, first));
  assert.equal(buried, false);
  const changed = Promise.withResolvers<void>();
  const watch = setInterval(() => one.id !== first && changed.resolve(), 5);
  await t.app.db.query(sql`select pg_terminate_backend(l.pid) from pg_locks l
    where l.locktype = 'advisory' and ((l.classid::bigint << 32) | l.objid::bigint)
      = hashtextextended(${`process ${first}`}, 0)`);
  await changed.promise;
  clearInterval(watch);
  await age(first);
  assert.deepEqual(await one.findGone(), [], "others may be on their way back too");
  assert.deepEqual(await two.findGone(), [first]);
  assert.equal(await t.app.db.transaction((tx) => two.bury(tx, first)), true);
  await Promise.all([one.close(), two.close()]);
  assert.deepEqual(await t.app.db.query(sql`select id from process`), []);
});
