import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { sql } from "./sql.ts";

test("a statement for later that fails, in the database or before it is sent, takes the transaction with it", async () => {
  await using t = await startTestApp();
  const { db } = t.app;
  const { id } = await createWorkspace(t.app, { name: "before" });
  const broken = async () => {
    throw new Error("never sent");
  };
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query(sql`update workspace set name = 'after' where id = ${id}`);
      tx.later(broken());
    }),
    /never sent/,
  );
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query(sql`update workspace set name = 'after' where id = ${id}`);
      tx.later(tx.query(sql`select 1 / 0`));
    }),
    /division by zero/,
  );
  const name = () => db.query(sql`select name from workspace where id = ${id}`);
  assert.deepEqual(await name(), [{ name: "before" }]);

  await db.transaction(async (tx) => {
    await tx.query(sql`update workspace set name = 'after' where id = ${id}`);
    await tx.savepoint(async () => tx.later(broken())).catch(() => {});
  });
  assert.deepEqual(await name(), [{ name: "after" }], "what a savepoint took back is over");
});
