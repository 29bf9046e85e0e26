import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { startTestApp } from "../test/harness.ts";
import { sql } from "./db/sql.ts";

/** What docs/operations.md promises to operators. */
const MOST_CONNECTIONS = 14;

test("a process whose every pool is full holds as many connections as the document says", async () => {
  await using t = await startTestApp({ overrides: { background: undefined } });
  const { app } = t;
  await app.life.begin();
  const heard = Promise.withResolvers<void>();
  const stop = app.topics.subscribe("full", () => heard.resolve());
  await app.topics.publish("full", { kind: "resync" });
  await heard.promise;
  const admin = new pg.Client({ connectionString: t.databaseUrl });
  await admin.connect();
  const others = async (): Promise<number> => {
    const { rows } = await admin.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    return rows[0]?.count ?? 0;
  };
  await admin.query("select pg_advisory_lock(1)");
  const held = sql`select pg_advisory_xact_lock_shared(1)`;
  const waiting = Array.from({ length: 20 }, () => [
    app.db.query(held),
    app.forRequests.db.transaction((tx) => tx.query(held)),
    app.background.db.query(held),
    app.background.piece((db) => db.transaction((tx) => tx.query(held))),
    app.db.slowQuery(held, 60_000),
    app.db.read(sql`select 1`),
  ]).flat();
  const settled = Promise.allSettled(waiting);
  try {
    while ((await others()) < MOST_CONNECTIONS);
  } finally {
    await admin.query("select pg_advisory_unlock(1)");
    await settled;
  }
  // Idle ones are kept for a minute.
  assert.equal(await others(), MOST_CONNECTIONS);
  stop();
  await admin.end();
});
