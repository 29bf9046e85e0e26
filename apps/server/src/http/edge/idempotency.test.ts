import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import { createKey } from "../../api-keys/create-key.ts";
import type { Db } from "../../db/database.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { findCall, insertCall } from "../../api-keys/kept-answers.ts";
import { sql } from "../../db/sql.ts";
import { AppError } from "../../errors.ts";
import { errorAnswer } from "./errors.ts";
import { answerOnce, type IdempotentCall } from "./idempotency.ts";

test("an effect outside the database is answered although the database went away after it; a repeat reads it from the record", async () => {
  await using t = await startTestApp();
  const { db } = t.app;
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const { id: keyId } = await createKey(OPERATOR, t.app, workspaceId);
  let away = false;
  const gone: Db = {
    ...db,
    query: (statement) =>
      away ? Promise.reject(new Error("Connection terminated unexpectedly")) : db.query(statement),
  };
  const recordId = t.app.ids.next();
  // Two more calls are running.
  const { id: otherKeyId } = await createKey(OPERATOR, t.app, workspaceId);
  const others = [
    { workspaceId, callerId: keyId, key: "other" },
    { workspaceId, callerId: otherKeyId, key: "k" },
  ];
  const open = { fingerprint: Buffer.alloc(32), status: null, body: "", createdAt: t.clock.now() };
  for (const call of others) await insertCall(db, call, open, new Date(0));
  let runs = 0;
  const once = (context: typeof t.app) =>
    answerOnce(context, {
      call: { workspaceId, callerId: keyId, key: "k" },
      request: ["POST", "/x", Buffer.from("{}")],
      status: 201,
      async run(keeper) {
        runs++;
        await db.transaction((tx) => keeper.begin(tx, recordId));
        away = true;
        return "sent";
      },
      recover: (id) => Promise.resolve(id === recordId ? "sent, says the record" : null),
      presentError: errorAnswer,
    });
  const first = await once({ ...t.app, db: gone });
  assert.deepEqual(first, { status: 201, body: "sent", replayed: false });
  t.clock.advance(60_000);
  const again = await once(t.app);
  assert.deepEqual(again, { status: 201, body: "sent, says the record", replayed: true });
  assert.equal(runs, 1);
  for (const call of others)
    assert.equal((await findCall(db, call, new Date(0)))?.status, null, "its own end is to come");
});

test("a repeat in another process that is refused because the first call was done meanwhile gives the first one's answer", async () => {
  await using t = await startTestApp();
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const { id: keyId } = await createKey(OPERATOR, t.app, workspaceId);
  const elsewhere = { ...t.app, db: { ...t.app.db } };
  const call = (key: string, run: IdempotentCall["run"]): IdempotentCall => ({
    call: { workspaceId, callerId: keyId, key },
    request: ["POST", "/x", Buffer.from("{}")],
    status: 201,
    run,
    recover: () => Promise.resolve(null),
    presentError: errorAnswer,
  });
  // The last message of the plan, a file that was free, a record that was there.
  for (const code of ["MESSAGE_LIMIT_REACHED", "VALIDATION_FAILED", "NOT_FOUND"] as const) {
    const first = call(code, async (keeper) => {
      await t.app.db.transaction((tx) => keeper.keep(tx, "sent"));
      return "sent";
    });
    const second = call(code, async () => {
      assert.equal((await answerOnce(elsewhere, first)).replayed, false);
      throw new AppError(code);
    });
    const sent = { status: 201, body: "sent", replayed: true };
    assert.deepEqual(await answerOnce(t.app, second), sent, code);
    const alone = call(`${code} alone`, () => Promise.reject(new AppError(code)));
    await assert.rejects(answerOnce(t.app, alone), { message: code });
  }
});

test("a repeat gets no answer while the first call runs, although one is kept already, and then its last one", async () => {
  await using t = await startTestApp();
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const { id: keyId } = await createKey(OPERATOR, t.app, workspaceId);
  const begun = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const once = () =>
    answerOnce(t.app, {
      call: { workspaceId, callerId: keyId, key: "k" },
      request: ["POST", "/x", Buffer.from("{}")],
      status: 201,
      async run(keeper) {
        await t.app.db.transaction((tx) => keeper.keep(tx, "begun"));
        begun.resolve();
        await goesOn.promise;
        await t.app.db.transaction((tx) => keeper.keep(tx, "ended"));
        return "ended";
      },
      recover: () => Promise.resolve(null),
      presentError: errorAnswer,
    });
  const first = once();
  await begun.promise;
  await assert.rejects(once(), { code: "IDEMPOTENCY_IN_PROGRESS" });
  goesOn.resolve();
  assert.deepEqual(await first, { status: 201, body: "ended", replayed: false });
  assert.deepEqual(await once(), { status: 201, body: "ended", replayed: true });
});

test("a kept answer is read by its key and never by its age, also while few are kept", async () => {
  await using t = await startTestApp();
  const { db, ids } = t.app;
  const call = { workspaceId: ids.next(), callerId: ids.next(), key: "k" };
  // PostgreSQL knows that the table is empty, and plans for that.
  await db.query(sql`vacuum analyze idempotency_key`);
  assert.equal(await findCall(db, call, new Date(0)), null);
  // Both connections of short reads report what they read.
  await Promise.all([1, 2].map(() => db.read(sql`select pg_stat_force_next_flush()`)));
  const scans = await db.query<{ name: string; n: number }>(sql`
    select indexrelname as name, idx_scan as n from pg_stat_user_indexes where relname = 'idempotency_key' order by 1`);
  assert.deepEqual(scans, [
    { name: "idempotency_key_age", n: 0 },
    { name: "idempotency_key_pkey", n: 1 },
  ]);
});
