import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { sql } from "../db/sql.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { createSegment } from "./create-segment.ts";
import { findBulkJob, listBulkJobs, moveBulkJob, runBulkBatch } from "./run-bulk-jobs.ts";

test("the command of an interrupted change says that it goes on, and with a server it goes on once", async () => {
  await using t = await startTestApp();
  const { db } = t.app;
  const { id: w } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  await db.query(sql`
    insert into contact (workspace_id, id, name, search, created_at, updated_at)
    select ${w}, lpad(to_hex(n), 32, '0')::uuid, 'vip', 'vip', now(), now() from generate_series(1, 6000) n`);
  const rule = { field: "name", op: "contains", value: "vip" };
  const definition = { match: "all", rules: [rule] };
  const segment = await createSegment(OPERATOR, t.app, w, { name: "VIPs", definition });
  for (const signal of ["SIGINT", "SIGKILL"] as const) {
    const main = path.resolve(import.meta.dirname, "../cli/main.ts");
    const words = [
      "contacts",
      "tag",
      signal.toLowerCase(),
      "--workspace",
      w,
      "--segment",
      segment.id,
    ];
    // It stops at this contact: however busy the machine is, it is not done before the signal.
    const held = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    const holding = db.transaction(async (tx) => {
      await tx.query(sql`
        select 1 from contact where workspace_id = ${w} and id = lpad(to_hex(3000), 32, '0')::uuid for update`);
      held.resolve();
      await goesOn.promise;
    });
    await held.promise;
    const child = spawn(process.execPath, [main, ...words], {
      env: {
        ...process.env,
        DATABASE_URL: t.databaseUrl,
        PARLEY_DATA_DIR: tmpdir(),
        PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let told = "";
    child.stderr.on("data", (data: Buffer) => (told += data.toString()));
    const ended = once(child, "close");
    const newest = async () => (await listBulkJobs(t.app, w)).find((job) => job.changed > 0);
    let job = await newest();
    while (job?.state !== "running") {
      if (child.exitCode !== null) goesOn.resolve();
      assert.equal(child.exitCode, null, told);
      await db.query(sql`select pg_sleep(0.01)`);
      job = await newest();
    }
    child.kill(signal);
    if (signal === "SIGKILL") await ended;
    goesOn.resolve();
    const [[code]] = await Promise.all([ended, holding]);
    if (signal === "SIGINT") {
      assert.equal(code, 130, told);
      const command = `parley contacts job cancel ${job.id} --workspace ${w}`;
      const words = `job ${job.id} is not finished: the server goes on with it; to end it: ${command}`;
      assert.equal(told, `parley: ${words}\n`);
      await moveBulkJob(OPERATOR, t.app, w, job.id, "cancel");
      assert.equal(await runBulkBatch(t.app), false);
      continue;
    }
    while (await runBulkBatch(t.app));
    const done = await findBulkJob(t.app, w, job.id);
    assert.deepEqual([done.state, done.matched, done.changed], ["done", 6_000, 6_000]);
    const [{ n } = {}] = await db.query<{ n: number }>(sql`
      select count(*) as n from contact where workspace_id = ${w} and ${signal.toLowerCase()} = any (tags)`);
    assert.equal(n, 6_000);
  }
});
