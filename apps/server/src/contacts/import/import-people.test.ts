import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { createContact } from "../record/create-contact.ts";
import { importContacts } from "./import-contacts.ts";
import { listContacts } from "../record/list-contacts.ts";
import { mergeContacts } from "../identity/merge-contacts.ts";
import { setConsent } from "../consent/set-consent.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const workspace = async () => (await createWorkspace(OPERATOR, t.app, { name: "A" })).id;
async function load(workspaceId: string, text: string) {
  const told: (string | number | null)[] = [];
  async function* source(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  await importContacts(t.app, workspaceId, source(), {
    format: "csv",
    onRow: (row) => void told.push(row.reason ?? row.outcome),
  });
  return told;
}
async function people(workspaceId: string) {
  const { documents } = await listContacts(t.app, workspaceId, { page: 1, pageSize: 200 });
  return (JSON.parse(`[${documents.toString()}]`) as ContactJson[])
    .toReversed()
    .map(({ name, email, phone, optedOut }) => [name, email, phone, optedOut]);
}

test("an e-mail address is the same composed and decomposed, in a file and among contacts", async () => {
  const w = await workspace();
  await createContact(OPERATOR, t.app, w, { email: "rené@example.com" });
  const told = await load(
    w,
    "email,name\nRENE\u0301@example.com,René\nzoe\u0308@example.com,Zoë\nZOË@example.com,",
  );
  assert.deepEqual(told, ["updated", "created", "updated"]);
  assert.deepEqual(await people(w), [
    ["René", "RENE\u0301@example.com", null, false],
    ["Zoë", "ZOË@example.com", null, false],
  ]);
});

test("an old list with the ids of merged contacts undoes no merge, and the kept contact's values stay", async () => {
  const w = await workspace();
  const a = await createContact(OPERATOR, t.app, w, { name: "A", phone: "1" });
  const b = await createContact(OPERATOR, t.app, w, { name: "B", email: "b@example.com" });
  const c = await createContact(OPERATOR, t.app, w, { phone: "3", attributes: { city: "Kuwait" } });
  await mergeContacts(OPERATOR, t.app, w, b.id, a.id);
  await mergeContacts(OPERATOR, t.app, w, c.id, b.id);
  const told = await load(
    w,
    [
      "id,name,email,phone,tags,attribute.city,attribute.size",
      `${a.id},Old A,,1,,Hawalli,5`,
      `${b.id},Old B,old@example.com,,vip,,`,
      `${c.id},C,,4,,,`,
    ].join("\n"),
  );
  assert.deepEqual(told, ["updated", "updated", "updated"]);
  const { documents, total } = await listContacts(t.app, w, { page: 1, pageSize: 5 });
  assert.equal(total, 1);
  const one = JSON.parse(documents.toString()) as ContactJson;
  assert.deepEqual(
    [one.id, one.name, one.email, one.phone, one.tags, one.attributes],
    [c.id, "C", "b@example.com", "4", ["vip"], { city: "Kuwait", size: "5" }],
  );
});

test("a contact whose number a row changed is not matched by the former number later in the batch", async () => {
  const w = await workspace();
  await createContact(OPERATOR, t.app, w, { name: "Moved", email: "m@example.com", phone: "11" });
  const told = await load(
    w,
    "name,email,phone\nMoved,m@example.com,12\nSomebody else,s@example.com,11\n",
  );
  assert.deepEqual(told, ["updated", "created"]);
  assert.deepEqual(await people(w), [
    ["Moved", "m@example.com", "12", false],
    ["Somebody else", "s@example.com", "11", false],
  ]);
});

test("a contact created by one row and given an opted-out number by the next is opted out", async () => {
  const w = await workspace();
  const at = t.app.clock.now();
  const stop = { workspaceId: w, contactId: null, phone: "22", optedOut: true, source: "cli", at };
  await t.app.db.transaction((tx) => setConsent(t.app, tx, [stop]));
  await load(w, "name,email,phone\nN,n@example.com,21\nN,n@example.com,22\n");
  assert.deepEqual(await people(w), [["N", "n@example.com", "22", true]]);
});

test("an external id survives a merge with a contact that has none, or another", async () => {
  const w = await workspace();
  await load(w, "externalId,phone\nCRM-1,31\nCRM-2,32\n");
  const idOf = async (phone: string) =>
    (await listContacts(t.app, w, { page: 1, pageSize: 5, search: phone })).documents.toString();
  const [one, two] = [await idOf("31"), await idOf("32")].map(
    (text) => JSON.parse(text) as ContactJson,
  );
  const plain = await createContact(OPERATOR, t.app, w, { email: "p@example.com" });
  const kept = await mergeContacts(OPERATOR, t.app, w, one?.id ?? "", plain.id);
  assert.equal(kept.externalId, "CRM-1");
  assert.equal(
    (await mergeContacts(OPERATOR, t.app, w, kept.id, two?.id ?? "")).externalId,
    "CRM-1",
  );
  assert.deepEqual(await load(w, "externalId,tags\nCRM-1,vip\n"), ["updated"]);
});

test("a row matches the contact with its number in the other spelling, but first one with the very digits", async () => {
  const w = await workspace();
  await createContact(OPERATOR, t.app, w, { name: "Ana", phone: "551188887777" });
  await createContact(OPERATOR, t.app, w, { name: "Luz", phone: "525512345678" });
  await createContact(OPERATOR, t.app, w, { name: "Rui", phone: "5511966665555" });
  await createContact(OPERATOR, t.app, w, { name: "Rui 2", phone: "551166665555" });
  const told = await load(
    w,
    [
      "phone,email",
      "+55 11 98888-7777,ana@example.com",
      "+52 1 55 1234 5678,luz@example.com",
      "+55 11 6666-5555,rui@example.com",
      "+55 21 98888-1111,eva@example.com",
      "+55 21 8888-1111,",
    ].join("\n"),
  );
  assert.deepEqual(told, ["updated", "updated", "updated", "created", "updated"]);
  assert.deepEqual(await people(w), [
    ["Ana", "ana@example.com", "5511988887777", false],
    ["Luz", "luz@example.com", "5215512345678", false],
    ["Rui", null, "5511966665555", false],
    ["Rui 2", "rui@example.com", "551166665555", false],
    [null, "eva@example.com", "552188881111", false],
  ]);
});
