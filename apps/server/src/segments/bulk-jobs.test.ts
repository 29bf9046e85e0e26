import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import type { ContactChange } from "../contacts/record/change-contacts.ts";
import { createContacts } from "../contacts/record/create-contact.ts";
import { defineAttribute } from "../contacts/attributes/define-attribute.ts";
import { mergeContacts } from "../contacts/identity/merge-contacts.ts";
import type { Db } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { unhindered } from "../lib/background.fixture.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { createSegment } from "./create-segment.ts";
import { jobFailureKind } from "./bulk-job.ts";
import { findBulkJob, moveBulkJob, runBulkBatch } from "./run-bulk-jobs.ts";
import { startBulkJob, type BulkTarget } from "./start-bulk-job.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

/** A workspace where every third contact is a vip, and the segment of those. */
async function shop(people: number) {
  const w = (await createWorkspace(OPERATOR, t.app, { name: "A" })).id;
  const items = Array.from({ length: people }, (_, n) => ({
    actor: OPERATOR,
    workspaceId: w,
    contact: { name: `N${n}`, phone: String(n + 1), tags: n % 3 === 0 ? ["vip"] : [] },
  }));
  const made = await t.app.db.transaction((tx) => createContacts(t.app, tx, items));
  const ids = made.map((one) => (one.ok ? one.value.id : assert.fail()));
  const definition = { match: "all", rules: [{ field: "tag", op: "eq", value: "vip" }] };
  const segment = await createSegment(OPERATOR, t.app, w, { name: "VIPs", definition });
  return { w, ids, segmentId: segment.id };
}
const run = async (w: string, target: BulkTarget, change: ContactChange) => {
  const job = await startBulkJob(OPERATOR, t.app, w, target, change);
  while (await runBulkBatch(t.app, job.id));
  return findBulkJob(t.app, w, job.id);
};
const count = async (statement: Parameters<TestApp["app"]["db"]["query"]>[0]) =>
  (await t.app.db.query<{ n: number }>(statement))[0]?.n;
const events = (w: string, type: string) =>
  count(sql`select count(*) as n from event where workspace_id = ${w} and type = ${type}`);

test("a tag for a segment: every contact of it, each told once; a second time changes nothing", async () => {
  const { w, segmentId } = await shop(1_600);
  const job = await run(w, { segmentId }, { action: "tag", tags: [" Gold "] });
  assert.deepEqual([job.state, job.matched, job.changed], ["done", 534, 534]);
  assert.equal(job.finishedAt, t.clock.now().toISOString());
  assert.equal(
    await count(
      sql`select count(*) as n from contact where workspace_id = ${w} and tags = '{vip,gold}'`,
    ),
    534,
  );
  assert.equal(await events(w, "contact.updated"), 534);
  const again = await run(w, { segmentId }, { action: "tag", tags: ["gold"] });
  assert.deepEqual([again.matched, again.changed], [534, 0]);
  assert.equal(await events(w, "contact.updated"), 534);
  const audit = await t.app.db.query<{ action: string }>(
    sql`select action from audit_entry where workspace_id = ${w} and subject = ${job.id} order by id`,
  );
  assert.deepEqual(
    audit.map((one) => one.action),
    ["contacts.bulk_started", "contacts.bulk_done"],
  );
});

test("a change that takes contacts out of its own segment reaches all of them", async () => {
  const { w, segmentId } = await shop(1_600);
  const job = await run(w, { segmentId }, { action: "untag", tags: ["vip"] });
  assert.equal(job.changed, 534);
  assert.equal(
    await count(
      sql`select count(*) as n from contact where workspace_id = ${w} and 'vip' = any(tags)`,
    ),
    0,
  );
});

test("deleted contacts leave the totals exact, and each is sent", async () => {
  const { w, segmentId } = await shop(1_600);
  assert.equal((await run(w, { segmentId }, { action: "delete" })).changed, 534);
  assert.equal(
    await count(sql`select total as n from contact_total where workspace_id = ${w}`),
    1_066,
  );
  assert.equal(
    await count(sql`select count(*) as n from contact where workspace_id = ${w}`),
    1_066,
  );
  assert.equal(
    await count(sql`select count(distinct body::jsonb -> 'data' ->> 'contactId') as n from event
      where workspace_id = ${w} and type = 'contact.deleted' and body::jsonb -> 'data' -> 'erased' = 'false'`),
    534,
  );
});

test("only ids of this workspace, by id; attributes are read by their definition", async () => {
  const { w, ids } = await shop(3);
  const other = await shop(2);
  await defineAttribute(OPERATOR, t.app, w, { key: "age", type: "number" });
  const change = { action: "set_attribute", key: "age" } as const;
  const target = { ids: [...ids.slice(0, 2), ...other.ids] };
  await assert.rejects(run(w, target, { ...change, value: "old" }), { code: "VALIDATION_FAILED" });
  const job = await run(w, target, { ...change, value: "42" });
  assert.deepEqual([job.matched, job.changed], [2, 2]);
  const rows = await t.app.db.query<{ attributes: unknown }>(
    sql`select attributes from contact where workspace_id = ${w} order by id`,
  );
  assert.deepEqual(
    rows.map((row) => row.attributes),
    [{ age: 42 }, { age: 42 }, {}],
  );
  assert.equal((await run(w, target, { ...change, value: null })).changed, 2);
});

test("consent in bulk: opt-in needs a reason, and both are in the ledger", async () => {
  const { w, segmentId } = await shop(6);
  assert.equal((await run(w, { segmentId }, { action: "opt_out", reason: null })).changed, 2);
  assert.equal(await events(w, "contact.opted_out"), 2);
  await assert.rejects(run(w, { segmentId }, { action: "opt_in", reason: " " }), {
    code: "VALIDATION_FAILED",
  });
  t.clock.advance(2_000);
  assert.equal(
    (await run(w, { segmentId }, { action: "opt_in", reason: "signed form" })).changed,
    2,
  );
  assert.equal(
    await count(
      sql`select count(*) as n from consent_entry where workspace_id = ${w} and detail = 'signed form' and not opted_out`,
    ),
    2,
  );
});

test("a job that is not of the workspace is not found", async () => {
  const { w, ids } = await shop(1);
  const job = await run(w, { ids }, { action: "tag", tags: ["x"] });
  for (const [of, id] of [
    [w, "x"],
    [w, t.app.ids.next()],
    [t.app.ids.next(), job.id],
  ] as const) {
    await assert.rejects(findBulkJob(t.app, of, id), { code: "NOT_FOUND" });
    await assert.rejects(moveBulkJob(OPERATOR, t.app, of, id, "pause"), {
      code: "NOT_FOUND",
    });
  }
});

test("a reason that is too long is cut to whole characters", async () => {
  const { w, segmentId } = await shop(3);
  const reason = `${"x".repeat(199)}🌷`;
  await run(w, { segmentId }, { action: "opt_out", reason: `${reason}y` });
  const kept = sql`select count(*) as n from consent_entry where workspace_id = ${w} and detail = ${reason}`;
  assert.equal(await count(kept), 1);
});

test("a paused job rests, a resumed one goes on at its place, a cancelled one stays", async () => {
  const { w, segmentId } = await shop(1_600);
  const job = await startBulkJob(OPERATOR, t.app, w, { segmentId }, { action: "tag", tags: ["x"] });
  assert.equal(await runBulkBatch(t.app, job.id), true);
  assert.equal((await moveBulkJob(OPERATOR, t.app, w, job.id, "pause")).state, "paused");
  assert.equal(await runBulkBatch(t.app, job.id), false);
  const paused = await findBulkJob(t.app, w, job.id);
  assert.ok(paused.changed > 0 && paused.changed < 534);
  assert.equal(paused.finishedAt, null);
  await moveBulkJob(OPERATOR, t.app, w, job.id, "resume");
  await t.app.drain();
  assert.deepEqual([(await findBulkJob(t.app, w, job.id)).changed], [534]);
  await assert.rejects(moveBulkJob(OPERATOR, t.app, w, job.id, "cancel"), {
    code: "NOT_ALLOWED_IN_STATE",
  });
});

test("a job by ids changes the contacts that these ids mean now, also after merges while it waited", async () => {
  const { w, ids } = await shop(4);
  const [kept = "", other = "", seen = "", chosen = ""] = ids;
  const targets = { ids: [other, chosen] };
  const job = await startBulkJob(OPERATOR, t.app, w, targets, { action: "opt_out", reason: null });
  await moveBulkJob(OPERATOR, t.app, w, job.id, "pause");
  await mergeContacts(OPERATOR, t.app, w, kept, other);
  await mergeContacts(OPERATOR, t.app, w, seen, chosen);
  await moveBulkJob(OPERATOR, t.app, w, job.id, "resume");
  while (await runBulkBatch(t.app, job.id));
  const { state, matched, changed } = await findBulkJob(t.app, w, job.id);
  assert.deepEqual([state, matched, changed], ["done", 2, 2]);
  const out = await t.app.db.query<{ id: string }>(
    sql`select id from contact where workspace_id = ${w} and opted_out_at is not null order by id`,
  );
  assert.deepEqual(
    out.map((row) => row.id),
    [kept, seen].toSorted(),
  );
});

test("a batch whose transaction dies is repeated, once, by one of two workers", async () => {
  const { w, segmentId } = await shop(1_600);
  const job = await startBulkJob(OPERATOR, t.app, w, { segmentId }, { action: "tag", tags: ["x"] });
  for (let left = 0; left < 12; left++) {
    let statements = left;
    const db: Db = {
      ...t.app.db,
      transaction: <T>(work: Parameters<typeof t.app.db.transaction<T>>[0]) =>
        t.app.db.transaction<T>(async (tx) => {
          const done = await work({
            ...tx,
            async query(statement) {
              if (--statements < 0) throw new Error("killed");
              return tx.query(statement);
            },
          });
          // A dead process sends no commit, even when only a statement of `later` was not sent.
          if (statements < 0) throw new Error("killed");
          return done;
        }),
    };
    await runBulkBatch({ ...t.app, db, background: unhindered(db) }, job.id).catch(
      (error: unknown) => assert.match(String(error), /killed/),
    );
  }
  const worker = async () => {
    while ((await findBulkJob(t.app, w, job.id)).state === "running") await runBulkBatch(t.app);
  };
  await Promise.all([worker(), worker()]);
  const done = await findBulkJob(t.app, w, job.id);
  assert.deepEqual([done.matched, done.changed], [534, 534]);
  assert.equal(await events(w, "contact.updated"), 534);
});

test("a job that cannot go on ends with the reason, and one that breaks lets the others go first", async () => {
  const { w, segmentId } = await shop(6);
  const begin = (tag: string) =>
    startBulkJob(OPERATOR, t.app, w, { segmentId }, { action: "tag", tags: [tag] });
  const refused = await begin("a");
  await t.app.db.query(
    sql`update contact_job set definition = '{"match":"none"}' where id = ${refused.id}`,
  );
  t.clock.advance(1);
  const broken = await begin("b");
  await t.app.db.query(sql`update contact_job set details = '{"tags":7}' where id = ${broken.id}`);
  t.clock.advance(1);
  const fine = await begin("c");
  t.clock.advance(1);
  assert.equal(await runBulkBatch(t.app), true);
  const failed = await findBulkJob(t.app, w, refused.id);
  assert.deepEqual([failed.state, failed.finishedAt], ["failed", t.clock.now().toISOString()]);
  assert.match(failed.reason ?? "", /match/);
  assert.equal(jobFailureKind(failed.reason ?? ""), "rules");
  assert.equal(jobFailureKind("the workspace is gone"), "other");
  await assert.rejects(runBulkBatch(t.app), TypeError);
  await runBulkBatch(t.app);
  assert.equal((await findBulkJob(t.app, w, fine.id)).changed, 2);
  const cancelled = await moveBulkJob(OPERATOR, t.app, w, broken.id, "cancel");
  assert.equal(cancelled.finishedAt, t.clock.now().toISOString());
});
