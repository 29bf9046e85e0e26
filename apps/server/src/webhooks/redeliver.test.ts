import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { TestApp } from "../../test/harness.ts";
import { bad, bareWorkspace, emitSome, type Receiver } from "../../test/webhook-receiver.ts";
import { sql } from "../db/sql.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { findDelivery, listDeliveries } from "./list-deliveries.ts";
import { redeliver } from "./redeliver.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { startWebhookStand, type WebhookStand } from "./webhook.fixture.ts";

let t: TestApp;
let receiver: Receiver;
let stand: WebhookStand;
before(async () => void ({ t, receiver } = stand = await startWebhookStand()));
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => stand.calm());

const states = async (workspaceId: string) =>
  Object.fromEntries(
    (
      await t.app.db.query<{ state: string; n: number }>(
        sql`select state, count(*) as n from delivery where workspace_id = ${workspaceId} group by 1`,
      )
    ).map((row) => [row.state, row.n]),
  );

test("deliveries that failed since a time go back in the queue, in batches that report their progress", async () => {
  const id = await bareWorkspace(t);
  const other = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/a` });
  await createEndpoint(OPERATOR, t.app, other, { url: `${receiver.base}/b` });
  const fail = (workspaceId: string) =>
    t.app.db.query(sql`update delivery set state = 'exhausted', round_failures = 9
      where workspace_id = ${workspaceId} and state = 'pending'`);
  await emitSome(t, id, 1_500);
  await emitSome(t, other, 2);
  await fail(id);
  await fail(other);
  t.clock.advance(60_000);
  const since = t.clock.now();
  await emitSome(t, id, 1_700);
  await fail(id);
  await t.app.db.query(sql`update delivery set state = 'delivered'
    where workspace_id = ${id} and event_sequence in (1501, 1502)`);
  const told: number[] = [];
  assert.equal(
    await redeliver(OPERATOR, t.app, id, endpoint.id, { since }, (n) => told.push(n)),
    1_698,
  );
  assert.deepEqual(told, [0, 500, 1_500, 1_698]);
  assert.deepEqual(await states(id), { delivered: 2, exhausted: 1_500, pending: 1_698 });
  assert.deepEqual(await states(other), { exhausted: 2 });
  const [row] = await t.app.db.query(sql`select round_failures from delivery
    where workspace_id = ${id} and event_sequence = 3000`);
  assert.deepEqual(row, { round_failures: 0 }, "a new round of retries");
  assert.equal(await redeliver(OPERATOR, t.app, id, endpoint.id, { since }), 0, "they are in line");
});

test("deliveries older than the time are neither looked at nor locked", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/old` });
  await emitSome(t, id, 2_100);
  t.clock.advance(61 * 60_000);
  await emitSome(t, id, 4);
  t.clock.advance(60_000);
  const since = t.clock.now();
  await emitSome(t, id, 3);
  await t.app.db.query(sql`update delivery set state = 'exhausted' where workspace_id = ${id}`);
  const told: number[] = [];
  assert.equal(
    await redeliver(OPERATOR, t.app, id, endpoint.id, { since }, (n) => told.push(n)),
    3,
  );
  assert.deepEqual(told, [3], "batches");
  const [{ locked } = {}] = await t.app.db.query<{ locked: number }>(sql`
    select count(*) filter (where xmax <> 0) as locked from delivery where workspace_id = ${id}
      and state = 'exhausted'`);
  assert.equal(locked, 0);
  // From the first event on, then from after the last.
  assert.equal(await redeliver(OPERATOR, t.app, id, endpoint.id, { since: new Date(0) }), 2_104);
  t.clock.advance(2 * 60 * 60_000);
  assert.equal(await redeliver(OPERATOR, t.app, id, endpoint.id, { since: t.clock.now() }), 0);
});

test("what waits for a later try is sent again too, each in a new round; what is older goes on waiting", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/repaired` });
  receiver.answers.set("/repaired", bad);
  /** An event that fails once. Its next try is thirteen seconds away, and the endpoint rests for one. */
  const fail = async () => {
    await emitSome(t, id, 1);
    await t.app.drain();
    t.clock.advance(2_000);
  };
  await fail();
  const since = t.clock.now();
  await fail();
  await fail();
  receiver.clear();
  await t.app.drain();
  assert.deepEqual(receiver.received, [], "all wait");
  assert.equal(await redeliver(OPERATOR, t.app, id, endpoint.id, { since }), 2);
  const rounds = await t.app.db.query<{ sequence: number; failures: number }>(sql`
    select event_sequence as sequence, round_failures as failures from delivery
    where workspace_id = ${id} and next_attempt_at <= ${t.clock.now()} order by event_sequence`);
  assert.deepEqual(rounds, [
    { sequence: 2, failures: 0 },
    { sequence: 3, failures: 0 },
  ]);
  assert.equal(await redeliver(OPERATOR, t.app, id, endpoint.id, { since }), 0, "they are in line");
  await t.app.drain();
  assert.equal(receiver.received.length, 2);
  assert.deepEqual(await states(id), { delivered: 2, pending: 1 });
});

test("3,500 that wait for a later try go back in the queue, in batches", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/crowd` });
  await emitSome(t, id, 2_500);
  t.clock.advance(60_000);
  const since = t.clock.now();
  await emitSome(t, id, 1_000);
  // All have the same next try, so only their sequence tells the batches apart.
  await t.app.db
    .query(sql`update delivery set attempts = 7, round_failures = 7, attempted_at = ${since},
    next_attempt_at = ${since}::timestamptz + interval '1 hour' where workspace_id = ${id}`);
  const told: number[] = [];
  const progress = (n: number) => told.push(n);
  assert.equal(await redeliver(OPERATOR, t.app, id, endpoint.id, { since }, progress), 1_000);
  assert.deepEqual(told, [0, 0, 500, 1_000]);
  assert.equal(await redeliver(OPERATOR, t.app, id, endpoint.id, { since: new Date(0) }), 2_500);
});

test("only one endpoint's deliveries go back in the queue, and each is shown with its own attempts", async () => {
  const id = await bareWorkspace(t);
  const one = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/one` });
  const two = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/two` });
  const since = t.clock.now();
  await emitSome(t, id, 2);
  await t.app.db.query(sql`update delivery set state = 'exhausted', attempts = event_sequence + 5
    where workspace_id = ${id}`);
  const list = async (endpointId: string) =>
    (await listDeliveries(t.app, id, endpointId, {})).items;
  for (const { eventId, sequence } of await list(one.id))
    assert.equal((await findDelivery(t.app, id, one.id, eventId)).attempts, sequence + 5);
  const [newest] = await list(one.id);
  assert.equal(await redeliver(OPERATOR, t.app, id, one.id, { eventId: newest?.eventId ?? "" }), 1);
  assert.deepEqual(
    (await list(one.id)).map(({ state }) => state),
    ["pending", "exhausted"],
  );
  assert.equal(await redeliver(OPERATOR, t.app, id, one.id, { since }), 1);
  assert.deepEqual(
    (await list(two.id)).map(({ state }) => state),
    ["exhausted", "exhausted"],
  );
});

test("when delivered ones are included, everything since a time comes again with the same ids and bytes", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/all` });
  await emitSome(t, id, 2);
  await t.app.drain();
  t.clock.advance(1_000);
  const since = t.clock.now();
  await emitSome(t, id, 3);
  await t.app.drain();
  const told = () =>
    receiver.received.map((one) => `${String(one.headers["webhook-id"])} ${one.body}`);
  const first = told().slice(2);
  receiver.clear();
  assert.equal(await redeliver(OPERATOR, t.app, id, endpoint.id, { since, delivered: true }), 3);
  await t.app.drain();
  assert.deepEqual(told().toSorted(), first.toSorted());
});

test("an event that is sent again while its last try fails begins a new round", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/last` });
  await emitSome(t, id);
  await t.app.db.query(
    sql`update delivery set attempts = 8, round_failures = 8 where workspace_id = ${id}`,
  );
  receiver.answers.set("/last", (response, request) => {
    const eventId = String(request.headers["webhook-id"]);
    void redeliver(OPERATOR, t.app, id, endpoint.id, { eventId }).then(() =>
      bad(response, request),
    );
  });
  await t.app.drain();
  assert.equal(receiver.received.length, 1);
  assert.deepEqual(await states(id), { pending: 1 });
  receiver.answers.delete("/last");
  // The endpoint rests for a second after its failure.
  t.clock.advance(1_000);
  await t.app.drain();
  assert.equal(receiver.received.length, 2);
  assert.deepEqual(await states(id), { delivered: 1 });
});

for (const how of ["by its id", "since a time"] as const)
  test(`an attempt that is recorded at the moment at which its event is sent again ${how} stays in the log`, async () => {
    const id = await bareWorkspace(t);
    const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/held` });
    const since = t.clock.now();
    await emitSome(t, id);
    await t.app.drain();
    const [delivery] = (await listDeliveries(t.app, id, endpoint.id)).items;
    const { eventId = "" } = delivery ?? {};
    await redeliver(OPERATOR, t.app, id, endpoint.id, { eventId });
    // The second attempt is written and not committed when somebody presses again. In the list it was acknowledged before.
    const state = how === "by its id" ? "pending" : "delivered";
    await t.app.db.query(sql`update delivery set state = ${state} where workspace_id = ${id}`);
    const { again } = await t.app.db.transaction(async (tx) => {
      await tx.query(sql`update delivery set state = 'delivered', attempts = 2, attempted_at = ${since},
        duration_ms = 1, status_code = 204 where workspace_id = ${id}`);
      const which = how === "by its id" ? { eventId } : { since, delivered: true };
      const pressed = redeliver(OPERATOR, t.app, id, endpoint.id, which);
      const waiting = sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await t.app.db.query(waiting)).length === 0);
      return { again: pressed };
    });
    await again;
    assert.deepEqual(
      await t.app.db.query(sql`select number, status_code from delivery_attempt
        where workspace_id = ${id} order by number`),
      [
        { number: 1, status_code: 204 },
        { number: 2, status_code: 204 },
      ],
    );
    await t.app.drain();
    assert.deepEqual(await states(id), { delivered: 1 });
  });

test("deliveries by state and kind, page after page; one with its request and every attempt", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/log` });
  receiver.answers.set("/log", bad);
  await emitSome(t, id, 1);
  await t.app.drain();
  t.clock.advance(20_000);
  receiver.answers.set("/log", (response) => void response.end("thanks"));
  await t.app.drain();
  const arrived = t.clock.now();
  for (let index = 0; index < 3; index++) await sendTestEvent(OPERATOR, t.app, id, endpoint.id);
  await t.app.drain();
  const list = async (filter: object) =>
    (await listDeliveries(t.app, id, endpoint.id, filter)).items;
  const sequences = async (filter: object) => (await list(filter)).map((one) => one.sequence);
  assert.deepEqual(await sequences({}), [4, 3, 2, 1]);
  assert.deepEqual(await sequences({ type: "endpoint.test" }), [4, 3, 2]);
  assert.deepEqual(await sequences({ type: "endpoint.test", limit: 2 }), [4, 3]);
  assert.deepEqual(await sequences({ type: "endpoint.test", limit: 2, before: 3 }), [2]);
  assert.deepEqual(await sequences({ state: "delivered", type: "usage.threshold" }), [1]);
  for (const state of ["pending", "exhausted", "held"])
    assert.deepEqual(await sequences({ state }), []);
  for (const filter of [{ state: "sent" }, { type: "message.sent" }])
    await assert.rejects(list(filter), { code: "VALIDATION_FAILED" });

  const [oldest] = await list({ before: 2 });
  const one = await findDelivery(t.app, id, endpoint.id, oldest?.eventId ?? "");
  assert.deepEqual(
    one.log.map((entry) => [entry.number, entry.statusCode, entry.failure, entry.answer]),
    [
      [1, 500, "status", "broken \uFFFD here"],
      [2, 200, null, "thanks"],
    ],
  );
  assert.deepEqual([one.deliveredAt, one.nextAttemptAt], [arrived, null]);
  assert.ok(one.log.every((entry) => entry.durationMs >= 0));
  const { body } = receiver.received[0] ?? {};
  assert.deepEqual(one.request, { method: "POST", url: `${receiver.base}/log`, body });
  for (const eventId of [t.app.ids.next(), "none"])
    await assert.rejects(findDelivery(t.app, id, endpoint.id, eventId), { code: "NOT_FOUND" });
  const other = await bareWorkspace(t);
  await assert.rejects(findDelivery(t.app, other, endpoint.id, one.eventId), { code: "NOT_FOUND" });
});
