import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { Db } from "../db/database.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { addSandboxChannel } from "./add-sandbox-channel.ts";
import { findRunner, startSandboxKeeper, type SandboxKeeper } from "./sandbox-keeper.ts";

/** A keeper that is stopped even when its test fails. */
async function keep(...settings: Parameters<typeof startSandboxKeeper>) {
  const keeper = await startSandboxKeeper(...settings);
  return Object.assign(keeper, { [Symbol.asyncDispose]: () => keeper.close() });
}
/** How many channels this keeper serves; null when the sandbox does not run here. */
const linesOf = ({ sandbox }: SandboxKeeper) => sandbox?.lines.length ?? null;
const MANUAL = { publicUrl: "http://127.0.0.1:9", delivery: "manual", timed: false } as const;

test("one of two processes runs the sandbox, until it stops, loses its lease or has nothing to serve", async () => {
  await using t = await startTestApp();
  await using first = await keep(t.app, { ...MANUAL, address: "http://first" });
  assert.equal(linesOf(first), null, "there is nothing to serve");
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "Shop", plan: "business" });
  await addSandboxChannel(OPERATOR, t.app, id, { type: "TELEGRAM" });
  await first.look();
  await using second = await keep(t.app, { ...MANUAL, address: "http://second" });
  assert.deepEqual([linesOf(first), linesOf(second)], [1, null]);
  // Twelve seconds hold several renewals of the lease.
  for (let seconds = 0; seconds < 12; seconds++) {
    t.clock.advance(1_000);
    await first.look();
    await second.look();
    assert.equal(await findRunner(t.app), "http://first");
  }
  // The first hangs for longer than its lease.
  t.clock.advance(6_000);
  await second.look();
  assert.equal(linesOf(second), 1);
  await first.look();
  assert.equal(linesOf(first), null);
  await second.close();
  await first.look();
  assert.equal(await findRunner(t.app), "http://first");
});

test("at rest a look is one query, and every third look renews the lease", async () => {
  await using t = await startTestApp();
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "Shop", plan: "business" });
  for (const type of ["TELEGRAM", "TIKTOK", "SMS"] as const)
    await addSandboxChannel(OPERATOR, t.app, id, { type });
  let queries = 0;
  let looks = 0;
  const db: Db = {
    ...t.app.db,
    query(statement) {
      queries++;
      return t.app.db.query(statement);
    },
  };
  await using keeper = await keep(
    { ...t.app, db },
    { ...MANUAL, address: "http://first", onLook: async () => void looks++ },
  );
  assert.equal(linesOf(keeper), 3);
  t.clock.advance(60_000);
  await keeper.look();
  queries = 0;
  const before = looks;
  for (let seconds = 0; seconds < 30; seconds++) {
    t.clock.advance(1_000);
    await keeper.look();
  }
  assert.deepEqual([queries, looks - before], [40, 0]);
});
