import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import type { App } from "../../app.ts";
import type { Db, Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { unhindered } from "../../lib/background.fixture.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { csvOf, fileOf, stateOf } from "./import-crash.fixture.ts";
import { listImports, runImport } from "./run-import.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const workspace = async () => (await createWorkspace(OPERATOR, t.app, { name: "A" })).id;

class Killed extends Error {}

/** The same app, in a process that dies after the n-th statement of a transaction, or after the n-th commit. */
function mortal(app: App, lives: { left: number }): App {
  const step = (): void => {
    if (--lives.left < 0) throw new Killed();
  };
  const db: Db = {
    ...app.db,
    async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      const done = await app.db.transaction((tx) =>
        work({
          ...tx,
          async query<Row extends object>(statement: Parameters<Tx["query"]>[0]) {
            step();
            const rows = await tx.query<Row>(statement);
            step();
            return rows;
          },
        }),
      );
      // The batch was committed, but the answer never came.
      step();
      return done;
    },
  };
  // A tenth of a batch has every statement of a full one.
  return { ...app, db, background: { ...unhindered(db), size: async (rows) => rows / 10 } };
}

test("cut off before and after every statement, the import ends like one without interruption", async () => {
  const file = await fileOf(csvOf(240));
  const calm = await workspace();
  await runImport(OPERATOR, t.app, calm, file, { format: "csv" });
  const w = await workspace();
  let cuts = 0;
  let position = 0;
  // Each run lives a little longer than the last, until one finishes a batch: so the cut falls on every statement.
  for (let lives = 0; ; lives++) {
    const taken = (await listImports(t.app, w))[0]?.rows ?? 0;
    if (taken > position) lives = 0;
    position = taken;
    const left = { left: lives };
    try {
      await runImport(OPERATOR, mortal(t.app, left), w, file, { format: "csv" });
      break;
    } catch (error) {
      assert.ok(error instanceof Killed, String(error));
      cuts += 1;
      // Cut after the last commit: everything is stored, and only the report was lost.
      if ((await listImports(t.app, w))[0]?.state === "done") break;
    }
  }
  assert.ok(cuts >= 60, `cut ${cuts} times`);
  assert.deepEqual(await stateOf(t.app, w), await stateOf(t.app, calm));
});

test("two processes on one import: the later one stops, and nothing is imported twice", async () => {
  const file = await fileOf(csvOf(3_000));
  const calm = await workspace();
  await runImport(OPERATOR, t.app, calm, file, { format: "csv" });
  const w = await workspace();
  const both = await Promise.allSettled([
    runImport(OPERATOR, t.app, w, file, { format: "csv" }),
    runImport(OPERATOR, t.app, w, file, { format: "csv" }),
  ]);
  const failed = both.filter((one) => one.status === "rejected");
  assert.equal(failed.length, 1);
  assert.ok(failed[0]?.reason instanceof AppError && failed[0].reason.code === "CONFLICT");
  // The process that is left may be the one that was stopped: the next run goes on.
  assert.deepEqual(await stateOf(t.app, w), await stateOf(t.app, calm));
});

test("another file or other options are another import; the same again changes nothing", async () => {
  const w = await workspace();
  const file = await fileOf(csvOf(150));
  const left = { left: 50 };
  await assert.rejects(
    runImport(OPERATOR, mortal(t.app, left), w, file, { format: "csv" }),
    Killed,
  );
  const [open] = await listImports(t.app, w);
  assert.deepEqual([open?.state, open?.rows], ["running", 100]);
  const other = await runImport(OPERATOR, t.app, w, file, { format: "csv", match: "phone" });
  assert.notEqual(other.id, open?.id);
  assert.equal(other.resumedAt, 0);
  const resumed = await runImport(OPERATOR, t.app, w, file, { format: "csv" });
  assert.deepEqual([resumed.id, resumed.resumedAt, resumed.rows], [open?.id, 100, 150]);
  const again = await runImport(OPERATOR, t.app, w, await fileOf("name,phone\nX,1\n"), {
    format: "csv",
  });
  assert.deepEqual([again.resumedAt, again.rows], [0, 1]);
});
