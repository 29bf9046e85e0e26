import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { sql } from "../../db/sql.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { createContact } from "../record/create-contact.ts";
import { importContacts } from "./import-contacts.ts";
import { listContacts } from "../record/list-contacts.ts";
import { mergeContacts } from "../identity/merge-contacts.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const workspace = async () => (await createWorkspace(OPERATOR, t.app, { name: "A" })).id;
function load(workspaceId: string, lines: readonly string[]) {
  async function* source(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(lines.join("\n"));
  }
  return importContacts(t.app, workspaceId, source(), { format: "csv" });
}
async function people(workspaceId: string): Promise<ContactJson[]> {
  const { documents } = await listContacts(t.app, workspaceId, { page: 1, pageSize: 200 });
  return JSON.parse(`[${documents.toString()}]`) as ContactJson[];
}
const numbers = Array.from({ length: 100 }, (_, n) => n);

test("files that name the same people at the same time create each person once", async () => {
  const w = await workspace();
  const sums = await Promise.all([
    load(w, ["phone,externalId", ...numbers.map((n) => `1${n},x${n}`)]),
    load(w, ["phone,email", ...numbers.map((n) => `1${n},p${n}@example.com`).toReversed()]),
    load(w, ["phone,tags", ...numbers.map((n) => `1${n},third`)]),
  ]);
  const made = sums.reduce((sum, one) => sum + one.created, 0);
  const rows = await people(w);
  assert.deepEqual([made, rows.length], [100, 100]);
  assert.ok(rows.every((row) => row.externalId && row.email && row.tags.length === 1));
});

/** Waits until this many transactions wait for another one's rows. */
async function waiting(count: number): Promise<void> {
  const ask = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await t.app.db.query(ask)).length < count);
}

test("a row whose contact is merged while the batch waits for it updates the kept contact", async () => {
  const w = await workspace();
  const kept = await createContact(OPERATOR, t.app, w, { name: "K", email: "k@example.com" });
  const other = await createContact(OPERATOR, t.app, w, { phone: "2" });
  const { promise: enough, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: holding, resolve: held } = Promise.withResolvers<void>();
  const holder = t.app.db.transaction(async (tx) => {
    await tx.query(
      sql`select 1 from contact where workspace_id = ${w} and id = ${other.id} for update`,
    );
    held();
    await enough;
  });
  await holding;
  const merge = mergeContacts(OPERATOR, t.app, w, kept.id, other.id);
  await waiting(1);
  const sums = load(w, ["phone,tags", "2,vip", "3,"]);
  await waiting(2);
  letGo();
  await Promise.all([holder, merge]);
  const { created, updated } = await sums;
  assert.deepEqual([created, updated], [1, 1]);
  const rows = await people(w);
  assert.deepEqual(
    rows.map(({ id, phone, tags }) => [id === kept.id, phone, tags]),
    [
      [false, "3", []],
      [true, "2", ["vip"]],
    ],
  );
});
