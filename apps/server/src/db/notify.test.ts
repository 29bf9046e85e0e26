import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { createLogger } from "../lib/logger.ts";
import type { Note } from "../lib/topics.ts";
import type { Queryable } from "./database.ts";
import { createTopics } from "./notify.ts";
import { sql } from "./sql.ts";

test("a listening connection on which nothing is heard does not count as one, and is told of once", async () => {
  await using t = await startTestApp();
  const told: string[] = [];
  const warned = Promise.withResolvers<void>();
  const log = Object.assign(createLogger("silent"), {
    warn(_facts: object, message: string) {
      told.push(message);
      warned.resolve();
    },
  });
  const open = (db: Queryable, processId: string, more: { proofMs?: number } = {}) =>
    createTopics({ connectionString: t.databaseUrl, db, log, processId, ...more });
  // As a pooler in transaction mode: what is notified comes to a connection that nobody listens on.
  const deaf = open({ query: async () => [] }, "deaf", { proofMs: 50 });
  const hears = open(t.app.db, "hears");
  const heard: Note[] = [];
  try {
    deaf.subscribe("a", (note) => heard.push(note));
    hears.subscribe("a", () => {});
    while (!hears.connected) await t.app.db.query(sql`select pg_sleep(0.01)`);
    await warned.promise;
    assert.deepEqual([deaf.connected, hears.connected], [false, true]);
    assert.match(told.join("\n"), /^no notes of other processes come in over DATABASE_URL[^\n]*$/);
  } finally {
    await Promise.all([deaf.close(), hears.close()]);
  }
});
