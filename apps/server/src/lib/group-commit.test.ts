import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { Tx } from "../db/database.ts";
import { GroupCommit, GroupCommitFull, type Settled } from "./group-commit.ts";

const WAIT_MS = 5_000;

/** Takes longer than anybody waits, and fails for all when one of them is bad, as a statement does. */
async function store(
  clock: { now: number },
  _tx: Tx,
  items: readonly string[],
): Promise<Settled<string>[]> {
  clock.now += WAIT_MS + 1;
  if (items.includes("bad")) throw new TypeError("a row that does not fit");
  return items.map((value) => ({ ok: true, value }));
}

test("who waited too long beside somebody whose row fails is told to come again, and not of that row", async (t) => {
  await using started = await startTestApp();
  const clock = { now: performance.now() };
  t.mock.method(performance, "now", () => clock.now);
  const commits = new GroupCommit(started.app.db, () => clock, WAIT_MS);
  const told = await Promise.allSettled(["good", "bad"].map((item) => commits.submit(store, item)));
  assert.deepEqual(
    told.map((one) => one.status === "rejected" && one.reason instanceof GroupCommitFull),
    [true, true],
  );
  await assert.rejects(commits.submit(store, "bad"), TypeError);
});
