import { DEMO, OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { sql } from "../db/sql.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { mailNotices } from "../workspaces/mail-notices.ts";
import { notifyAdmins } from "../workspaces/notify-admins.ts";
import { pruneAudit } from "../workspaces/prune-records.ts";
import { updateWorkspace } from "../workspaces/update-workspace.ts";
import { createPruneRecordsWorker } from "./prune-records.ts";

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t[Symbol.asyncDispose]());

const DAY = 86_400_000;
const notice = (w: string, dedupe: string): Promise<boolean> =>
  t.app.db.transaction((tx) =>
    notifyAdmins(t.app, tx, w, { kind: "channel.error", subject: "S", body: "B", dedupe }),
  );
const prune = async (): Promise<void> => {
  const worker = createPruneRecordsWorker(t.app);
  while ((await worker.runOnce()) > 0);
};

/** How many records of each kind a workspace has left, and what its audit still says. */
async function left(w: string): Promise<object> {
  const [row] = await t.app.db.query<object>(sql`
    select (select count(*) from notice where workspace_id = ${w}) as notices,
      (select count(*) from otp_record where workspace_id = ${w}) as passcodes,
      (select count(*) from contact_import where workspace_id = ${w}) as imports,
      (select count(*) from contact_job where workspace_id = ${w}) as jobs,
      array(select action from audit_entry where workspace_id = ${w} order by id) as audit`);
  return row ?? {};
}

test("old records are deleted, and records that are not over stay", async () => {
  const { id: w } = await createWorkspace(DEMO, t.app, { name: "A" });
  await updateWorkspace(OPERATOR, t.app, w, { plan: "starter" });
  await notice(w, "mailed");
  await mailNotices(t.app, null);
  await notice(w, "still to be mailed");
  const at = t.clock.now();
  await t.app.db.query(sql`
    insert into otp_record (workspace_id, id, provider_id, provider, mobile, segments, status, created_at)
    values (${w}, ${t.app.ids.next()}, ${w}, 'twilio', '9651', 1, 'delivered', ${at})`);
  const years = [at, new Date(at.getTime() + 400 * DAY)];
  await t.app.db.query(sql`
    insert into contact_import (workspace_id, id, file_name, file_hash, file_size, options, state, position, created_at,
      updated_at)
    select ${w}, i, 'a.csv', decode('00', 'hex'), 1, '{}', 'done', 1, ${at}, u
    from unnest(${[t.app.ids.next(), t.app.ids.next()]}::uuid[], ${years}::timestamptz[]) as r (i, u)`);
  await t.app.db.query(sql`
    insert into contact_job (workspace_id, id, action, state, cursor, until, actor, created_at, updated_at, finished_at)
    select ${w}, i, 'tag', s, ${w}, ${w}, 'cli', ${at}, ${at}, case when s = 'done' then ${at}::timestamptz end
    from unnest(${[t.app.ids.next(), t.app.ids.next()]}::uuid[], ${["done", "paused"]}::text[]) as r (i, s)`);
  const audit = ["workspace.created", "workspace.updated"];
  const all = { notices: 2, passcodes: 1, imports: 2, jobs: 2, audit };
  t.clock.advance(89 * DAY);
  await prune();
  assert.deepEqual(await left(w), all);
  t.clock.advance(2 * DAY);
  await prune();
  assert.deepEqual(await left(w), { ...all, notices: 1 });
  t.clock.advance(275 * DAY);
  await prune();
  assert.deepEqual(await left(w), { notices: 1, passcodes: 0, imports: 1, jobs: 1, audit });
  t.clock.advance(365 * DAY);
  await prune();
  const kept = { notices: 1, passcodes: 0, imports: 1, jobs: 1, audit: ["workspace.created"] };
  assert.deepEqual(await left(w), kept);
});

test("a batch is a thousand rows, from any number of workspaces", async () => {
  await prune();
  const [a, b] = [
    await createWorkspace(OPERATOR, t.app, { name: "A" }),
    await createWorkspace(OPERATOR, t.app, { name: "B" }),
  ];
  for (const { id } of [a, b]) {
    const ids = Array.from({ length: 700 }, () => t.app.ids.next());
    await t.app.db.query(sql`
      insert into audit_entry (workspace_id, id, actor, action, subject, created_at)
      select ${id}, i, 'cli', 'contact.updated', 's', ${t.clock.now()} from unnest(${ids}::uuid[]) as u (i)`);
  }
  t.clock.advance(731 * DAY);
  assert.deepEqual(
    [await pruneAudit(t.app), await pruneAudit(t.app), await pruneAudit(t.app)],
    [1_000, 400, 0],
  );
});

test("after a look that found nothing, the next comes half an hour later", async () => {
  const { id: w } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  await notice(w, "mailed");
  await mailNotices(t.app, null);
  await prune();
  const worker = createPruneRecordsWorker(t.app);
  assert.equal(await worker.runOnce(), 0);
  t.clock.advance(91 * DAY);
  assert.equal(await worker.runOnce(), 1);
  assert.equal(await worker.runOnce(), 0);
});
