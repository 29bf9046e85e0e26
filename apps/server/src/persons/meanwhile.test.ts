import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { createContact } from "../contacts/record/create-contact.ts";
import { findContact } from "../contacts/identity/find-contact.ts";
import { importContacts } from "../contacts/import/import-contacts.ts";
import { mergeContacts } from "../contacts/identity/merge-contacts.ts";
import { updateContact } from "../contacts/record/update-contact.ts";
import { sql } from "../db/sql.ts";
import { runBulkBatch } from "../segments/run-bulk-jobs.ts";
import { startBulkJob } from "../segments/start-bulk-job.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { runErasureBatch } from "./run-erasures.ts";
import { startErasure } from "./start-erasure.ts";
import { tablesNaming } from "./traces.fixture.ts";

let t: TestApp;
let w: string;
before(async () => {
  t = await startTestApp();
  w = (await createWorkspace(OPERATOR, t.app, { name: "A" })).id;
});
after(() => t[Symbol.asyncDispose]());

const person = async (phone: string, more: object = {}) =>
  (await createContact(OPERATOR, t.app, w, { phone, ...more })).id;

/** Somebody holds the record; the first call waits for it, the second waits behind the first; then both go on. */
async function oneBehindAnother<A, B>(
  contactId: string,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A, B]> {
  const { promise: enough, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: holding, resolve: held } = Promise.withResolvers<void>();
  const holder = t.app.db.transaction(async (tx) => {
    await tx.query(
      sql`select 1 from contact where workspace_id = ${w} and id = ${contactId} for update`,
    );
    held();
    await enough;
  });
  await holding;
  const waiting = async (count: number): Promise<void> => {
    const ask = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await t.app.db.query(ask)).length < count);
  };
  const one = first();
  await waiting(1);
  const two = second();
  two.catch(() => {});
  await waiting(2);
  letGo();
  await holder;
  return [await one, await two];
}
const naming = (...words: string[]) => tablesNaming(t.databaseUrl, words);
async function* csv(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test("a contact merged while its erasure waits is erased under its new id", async () => {
  const keep = await person("96551110001", { name: "Kept Trace" });
  const gone = await person("96551110002", { name: "Gone Trace" });
  const [, { id }] = await oneBehindAnother(
    gone,
    () => mergeContacts(OPERATOR, t.app, w, keep, gone),
    () => startErasure(OPERATOR, t.app, w, gone),
  );
  while (await runErasureBatch(t.app, id));
  assert.equal(await findContact(t.app.db, w, keep), null);
  assert.deepEqual(await naming("96551110001", "96551110002", "Trace"), []);
});

test("what a file says of a person whose erasure waits is forgotten too", async () => {
  const gone = await person("96551110003", { email: "trace@example.com" });
  const text = "email,phone,name,optedOut\ntrace@example.com,96551110004,New Trace,yes\n";
  const [, { id }] = await oneBehindAnother(
    gone,
    () => importContacts(t.app, w, csv(text), { format: "csv" }),
    () => startErasure(OPERATOR, t.app, w, gone),
  );
  while (await runErasureBatch(t.app, id));
  assert.deepEqual(await naming("96551110003", "96551110004", "Trace", "trace@"), []);
  assert.equal((await createContact(OPERATOR, t.app, w, { phone: "96551110004" })).optedOut, true);
});

test("the later of two merges at the same time works on the result of the first", async () => {
  const [a, b, c] = [await person("1"), await person("2"), await person("3", { name: "C" })];
  const [, last] = await oneBehindAnother(
    b,
    () => mergeContacts(OPERATOR, t.app, w, a, b),
    () => mergeContacts(OPERATOR, t.app, w, b, c),
  );
  assert.deepEqual([last.id, last.name], [a, "C"]);
});

test("a change of a contact that is being merged applies to the kept contact", async () => {
  const [a, b] = [await person("4"), await person("5")];
  const [, changed] = await oneBehindAnother(
    b,
    () => mergeContacts(OPERATOR, t.app, w, a, b),
    () => updateContact(OPERATOR, t.app, w, b, { notes: "called" }),
  );
  assert.deepEqual([changed.id, changed.notes], [a, "called"]);
});

test("an opt-out of a contact that is being merged applies to the kept contact", async () => {
  const [a, b] = [await person("6"), await person("7")];
  await startBulkJob(OPERATOR, t.app, w, { ids: [b] }, { action: "opt_out", reason: null });
  await oneBehindAnother(
    b,
    () => mergeContacts(OPERATOR, t.app, w, a, b),
    () => runBulkBatch(t.app),
  );
  assert.equal((await findContact(t.app.db, w, a))?.optedOut, true);
});
