import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { sql } from "./sql.ts";

test("the error of a statement keeps the database's code, and its stack names who asked", async () => {
  await using t = await startTestApp();
  const { db } = t.app;
  const asked = {
    async byThePool() {
      return await db.query(sql`select 1 / ${0}::int`);
    },
    async byALane() {
      return await db.read(sql`select 1 / ${0}::int`);
    },
    async inATransaction() {
      return await db.transaction(async (tx) => await tx.query(sql`select 1 / ${0}::int`));
    },
  };
  for (const [name, ask] of Object.entries(asked))
    await assert.rejects(ask, (error: Error & { code?: string }) => {
      assert.equal(error.code, "22012", name);
      assert.match(error.stack ?? "", new RegExp(`${name}.*run-statement\\.test\\.ts`));
      return true;
    });
});
