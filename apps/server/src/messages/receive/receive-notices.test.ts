import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { type Sql, sql } from "../../db/sql.ts";
import { NOTICES_AT_ONCE, receiveEvents } from "./receive-events.ts";

let m: Messaging;
before(async () => void (m = await startMessaging()));
after(() => m[Symbol.asyncDispose]());

const COUNT = 400;

test("a call full of withdrawals leaves connections to others, and every withdrawal is taken in", async () => {
  const desk = await Desk.open(m);
  const calls = Array.from({ length: COUNT }, (_, index) => ({
    account: desk.account,
    event: {
      kind: "deleted",
      accountExternalId: "1",
      externalMessageId: `gone.${index}`,
      text: null,
      occurredAt: m.t.clock.now(),
    } as const,
  }));
  const count = async (statement: Sql) => (await m.t.app.db.query<{ n: number }>(statement))[0]?.n;
  const waiting = sql`select count(*)::integer as n from pg_locks
    where not granted and relation = 'early_change'::regclass
      and database = (select oid from pg_database where datname = current_database())`;
  let taken: ReturnType<typeof receiveEvents> | undefined;
  await m.t.app.db.transaction(async (tx) => {
    await tx.query(sql`lock table early_change in exclusive mode`);
    taken = receiveEvents(m.t.app, calls);
    // Each look needs a connection. The call must not take all of them.
    let waiters = 0;
    while (waiters < NOTICES_AT_ONCE) waiters = (await count(waiting)) ?? 0;
    assert.equal(waiters, NOTICES_AT_ONCE);
  });
  assert.deepEqual(await taken, { taken: COUNT, failed: 0 });
  assert.equal(
    await count(
      sql`select count(*)::integer as n from early_change where workspace_id = ${desk.workspaceId}`,
    ),
    COUNT,
  );
});
