import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mortal } from "../../test/crash/mortal.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import { GroupCommit } from "../lib/group-commit.ts";
import { receiveEvents } from "../messages/receive/receive-events.ts";
import { Town, type Someone } from "./person.fixture.ts";
import { runErasureBatch } from "./run-erasures.ts";
import { findErasure, startErasure } from "./start-erasure.ts";
import { filesNaming, tablesNaming } from "./traces.fixture.ts";

let town: Town;
before(async () => void (town = await Town.open()));
after(() => town[Symbol.asyncDispose]());

/** How many more messages the person's conversation has. */
async function talk({ conversationId, contactId, marker }: Someone, count: number): Promise<void> {
  const { app, clock } = town.t;
  const ids = Array.from({ length: count }, () => app.ids.next());
  await app.db.query(sql`
    insert into message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, text, status,
      source, created_at)
    select ${town.id}, id, ${conversationId}, ${contactId}, ${town.desk.account.channelId}, 'inbound', 'text',
      ${`more ${marker}`}, 'received', 'channel', ${clock.now()} from unnest(${ids}::uuid[]) as u (id)`);
}

async function finish(id: string): Promise<void> {
  while (await runErasureBatch(town.t.app, id));
  assert.equal((await findErasure(town.t.app, town.id, id)).state, "done");
}

test("cut off before and after every statement and commit, an erasure ends like one without interruption", async () => {
  const { app, databaseUrl } = town.t;
  const calm = await town.settle("zyxcalm", "96511111111");
  await talk(calm, 600);
  const first = await startErasure(OPERATOR, app, town.id, calm.contactId);
  await finish(first.id);
  const cut = await town.settle("zyxcut", "96522222222");
  await talk(cut, 600);

  const { id } = await startErasure(OPERATOR, app, town.id, cut.contactId);
  const state = async () =>
    JSON.stringify(
      await app.db.query(sql`
    select step, cursor, counts, state from person_erasure where id = ${id}`),
    );
  let cuts = 0;
  // Each run lives a little longer than the last, until one finishes a batch: so the cut falls on every step.
  for (
    let lives = 0, seen = await state();
    (await findErasure(app, town.id, id)).state !== "done";
    lives++
  ) {
    const { worker, died } = mortal(app, lives, true);
    const end = await Promise.race([runErasureBatch(worker, id), died]);
    if (end === "died") cuts += 1;
    const now = await state();
    if (now !== seen) lives = -1;
    seen = now;
  }
  assert.ok(cuts >= 100, `cut ${cuts} times`);
  assert.deepEqual(
    (await findErasure(app, town.id, id)).counts,
    (await findErasure(app, town.id, first.id)).counts,
  );
  assert.deepEqual(await tablesNaming(databaseUrl, cut.words), []);
  assert.deepEqual(await filesNaming(app.config.dataDir, cut.words), []);
});

test("two requests at once get one erasure, and two processes that run it handle each row once", async () => {
  const { app } = town.t;
  const who = await town.settle("zyxtwo", "96533333333");
  await talk(who, 1_700);
  const [row] = await app.db.query<{ count: number }>(sql`
    select count(*)::int as count from message m join conversation c on c.id = m.conversation_id
    where c.workspace_id = ${town.id} and c.contact_id = ${who.contactId}`);
  const both = await Promise.all([
    startErasure(OPERATOR, app, town.id, who.contactId),
    startErasure(OPERATOR, app, town.id, who.contactId),
  ]);
  const [{ id }, other] = both;
  assert.equal(other.id, id);
  const work = async () => {
    for (;;) {
      const { state, waitsFor } = await findErasure(app, town.id, id);
      if (state === "done") return;
      // One process removes a file while the other looks for it.
      if (waitsFor !== null) town.t.clock.advance(6_000);
      await runErasureBatch(app, id);
    }
  };
  await Promise.all([work(), work(), work()]);
  const { counts } = await findErasure(app, town.id, id);
  assert.equal(counts["messages"], row?.count);
  assert.deepEqual(await tablesNaming(town.t.databaseUrl, who.words), []);
});

/** The app of a process that stops before or after the first statement that matches, until `go`. */
function stopping(app: Context, where: "before" | "after", fits: RegExp) {
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let stopped = false;
  // Statements that do not match are sent at once: those that nobody awaits must stay before the commit.
  const tied = (tx: Tx): Tx => ({
    ...tx,
    query<Row extends object>(statement: Sql) {
      if (stopped || !fits.test(statement.text)) return tx.query<Row>(statement);
      stopped = true;
      const stop = () => {
        reached.resolve();
        return go.promise;
      };
      if (where === "before") return stop().then(() => tx.query<Row>(statement));
      return tx.query<Row>(statement).then((rows) => stop().then(() => rows));
    },
  });
  const context: Context = {
    ...app,
    db: { ...app.db, transaction: (work) => app.db.transaction((tx) => work(tied(tx))) },
  };
  const groupCommit = new GroupCommit<Context>(context.db, () => whole);
  const whole: Context = { ...context, groupCommit };
  return { context: whole, reached: reached.promise, go: go.resolve };
}

const LOCKS_THREAD = /from conversation\s+where workspace_id = u\.workspace_id/;

const strays = async (contactId: string) =>
  town.t.app.db.query(sql`
    select 'message' as what from message where contact_id = ${contactId}
    union all select 'conversation' from conversation where contact_id = ${contactId}
    union all select 'identity' from contact_identity where contact_id = ${contactId}`);

test("a message that found the contact just before the erasure creates a new one", async () => {
  const { app } = town.t;
  const who = await town.settle("zyxlate", "96544444444");
  const late = stopping(app, "before", LOCKS_THREAD);
  const received = receiveEvents(late.context, [town.desk.message(who.phone, "late words")]);
  await late.reached;
  const { id } = await startErasure(OPERATOR, app, town.id, who.contactId);
  await finish(id);
  late.go();
  assert.deepEqual(await received, { taken: 1, failed: 0 });
  assert.deepEqual(await strays(who.contactId), []);
  const [row] = await app.db.query<{ contact_id: string }>(sql`
    select m.contact_id from message m join contact c on c.id = m.contact_id where m.text = 'late words'`);
  assert.notEqual(row?.contact_id ?? who.contactId, who.contactId);
});

test("the erasure waits for a message that is being stored in the conversation, and removes it too", async () => {
  const { app } = town.t;
  const who = await town.settle("zyxbeside", "96555555555");
  const early = stopping(app, "after", LOCKS_THREAD);
  const received = receiveEvents(early.context, [town.desk.message(who.phone, "early words")]);
  await early.reached;
  const { id } = await startErasure(OPERATOR, app, town.id, who.contactId);
  const finished = finish(id);
  while ((await findErasure(app, town.id, id)).step !== "threads");
  early.go();
  assert.deepEqual(await received, { taken: 1, failed: 0 });
  await finished;
  assert.deepEqual(await strays(who.contactId), []);
  assert.deepEqual(await app.db.query(sql`select 1 from message where text = 'early words'`), []);
});
