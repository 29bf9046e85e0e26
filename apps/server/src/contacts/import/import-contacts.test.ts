import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { sql } from "../../db/sql.ts";
import { AppError } from "../../errors.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { createContact } from "../record/create-contact.ts";
import { deleteContact } from "../record/delete-contact.fixture.ts";
import { exportContacts } from "../record/export-contacts.ts";
import { findContact } from "../identity/find-contact.ts";
import { importContacts } from "./import-contacts.ts";
import type { ImportResult } from "./import-report.ts";
import type { ImportFormat } from "./import-rows.ts";
import { listContacts } from "../record/list-contacts.ts";
import { updateContact } from "../record/update-contact.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const id = () => t.app.ids.next();
/** One with an audit log, which an export needs. */
const workspace = async () => (await createWorkspace(OPERATOR, t.app, { name: "Shop" })).id;
async function* bytes(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += 4_096) yield all.subarray(at, at + 4_096);
}
async function load(
  workspaceId: string,
  text: string | Uint8Array,
  format: ImportFormat = "csv",
  allowOptIn = false,
) {
  const rows: ImportResult[] = [];
  const sums = await importContacts(t.app, workspaceId, bytes(text), {
    format,
    allowOptIn,
    onRow: (row) => void rows.push(row),
  });
  return {
    sums,
    rows,
    told: rows.map((row) => [row.line, row.outcome, ...(row.reason ? [row.reason] : [])]),
  };
}
async function contacts(workspaceId: string): Promise<ContactJson[]> {
  const { documents } = await listContacts(t.app, workspaceId, { page: 1, pageSize: 200 });
  return (JSON.parse(`[${documents.toString()}]`) as ContactJson[]).reverse();
}
async function csvOf(workspaceId: string): Promise<string> {
  let text = "";
  for await (const line of exportContacts(OPERATOR, t.app, workspaceId)) text += line;
  return text;
}
async function eventKinds(workspaceId: string): Promise<string[]> {
  const rows = await t.app.db.query<{ type: string }>(
    sql`select type from event where workspace_id = ${workspaceId} order by sequence`,
  );
  return rows.map((row) => row.type);
}

test("each row is created, updated, unchanged or refused, with its line and the reason", async () => {
  const w = id();
  const text = [
    "Name;E-Mail;phone;Tags;attribute.city;opted out",
    "Sara;sara@example.com;+965 5000 0001;VIP|new;Kuwait;",
    "Omar;;00965-50000002;;;yes",
    ";;;vip;;",
    "Nobody;nonsense;12x;;;",
    "Sara A.;SARA@example.com;;gold;;",
    "Sara A.;;96550000001;vip;;",
    "too;many;1;;;;7",
    'bad"quote;;2;;;',
    "",
    "Last;;3;;;maybe",
    "Wide;;4;;;;;",
  ].join("\r\n");
  const { sums, told } = await load(w, text);
  assert.deepEqual(told, [
    [2, "created"],
    [3, "created"],
    [4, "refused", "CONTACT_NEEDS_IDENTITY: neither e-mail, phone nor external id"],
    [5, "refused", "email: must be an e-mail address; phone: must be 1 to 40 digits"],
    [6, "updated"],
    [7, "unchanged"],
    [8, "refused", "7 fields where the header has 6"],
    [9, "refused", "there is a quote inside a field that is not quoted"],
    [11, "refused", "optedOut: must be true or false"],
    [12, "created"],
  ]);
  assert.deepEqual(sums, {
    rows: 10,
    created: 3,
    updated: 1,
    unchanged: 1,
    refused: 5,
    phonesCompleted: 0,
    emailsLeftOut: 0,
    stoppedAt: null,
  });
  const [sara, omar] = await contacts(w);
  assert.deepEqual(
    [sara?.name, sara?.email, sara?.tags, sara?.attributes],
    ["Sara A.", "SARA@example.com", ["vip", "new", "gold"], { city: "Kuwait" }],
  );
  assert.equal(omar?.optedOut, true);
  assert.deepEqual(await eventKinds(w), [
    "contact.created",
    "contact.created",
    "contact.created",
    "contact.opted_out",
  ]);
});

test("an old list does not undo a STOP unless that is asked for", async () => {
  const w = id();
  await load(w, "phone,optedOut\n1,true\n");
  await load(w, "phone,optedOut\n1,false\n");
  assert.equal((await contacts(w))[0]?.optedOut, true);
  const { sums } = await load(w, "phone,optedOut\n1,false\n", "csv", true);
  assert.equal(sums.updated, 1);
  assert.equal((await contacts(w))[0]?.optedOut, false);
  assert.deepEqual(await eventKinds(w), [
    "contact.created",
    "contact.opted_out",
    "contact.opted_in",
  ]);
});

test("JSON Lines: the same rules, typed attributes kept", async () => {
  const w = id();
  const lines = [
    { name: "A", externalId: "x1", channelType: "web", attributes: { n: 5, deep: [true] } },
    { externalId: "x1", phone: "7", tags: ["T"] },
    { phone: 7.5 },
    [],
  ].map((line) => JSON.stringify(line));
  const { told } = await load(w, `${lines.join("\n")}\n\n{"phone": "8"`, "jsonl");
  assert.deepEqual(told, [
    [1, "created"],
    [2, "updated"],
    [3, "refused", "phone: must be text or a whole number"],
    [4, "refused", "line: must be a JSON object"],
    [6, "refused", "line: must be a JSON object"],
  ]);
  const [one] = await contacts(w);
  assert.deepEqual(
    [one?.name, one?.phone, one?.channelType, one?.tags, one?.attributes],
    ["A", "7", "WEB", ["t"], { n: 5, deep: [true] }],
  );
});

test("an unknown header stores nothing; a file that breaks off keeps the rows before that", async () => {
  const w = id();
  for (const text of ["phone,password\n1,2\n", "phone,Phone\n1,2\n", 'na"me,phone\n']) {
    await assert.rejects(
      load(w, text),
      (error) => error instanceof AppError && error.code === "VALIDATION_FAILED",
    );
  }
  const broken = Buffer.concat([
    Buffer.from("phone\n1\n2\n"),
    Buffer.from([0xff]),
    Buffer.from("\n3\n"),
  ]);
  const { sums, told } = await load(w, broken);
  assert.equal(sums.stoppedAt, 4);
  assert.deepEqual(told.at(-1), [4, "refused", "the file is not UTF-8; the rest was not read"]);
  assert.equal((await contacts(w)).length, 2);
});

test("an export imported into another workspace gives the same contacts; formulas are disarmed on the way", async () => {
  const w = await workspace();
  const names = [
    "=1+1",
    "'=x",
    "+965",
    "-",
    "@me",
    "a,b",
    'say "hi"',
    "two\nlines",
    "سارة 🙂",
    "'quoted'",
    "\tx",
    "\uff1dSUM(1)",
    "'\uff0b965",
    "\uff0d",
    "\uff20me",
    "\n=1+1",
  ];
  const odd = ["b;c", "d، e", "f؛", "[g]", "h", "* vip", '"vip"', "a:::b", "* mycontacts"];
  for (const [n, name] of names.entries()) {
    await createContact(OPERATOR, t.app, w, {
      name,
      phone: `${n}5`,
      tags: [odd[n % odd.length] ?? "", "a"],
      attributes: { n, "=k": "=v" },
    });
  }
  const text = await csvOf(w);
  const unsafe = text
    .split("\r\n")
    .flatMap((line) => line.split(/,|;/))
    .filter((cell) => /^"?[=+@\uff1d\uff0b\uff0d\uff20\n-]/.test(cell));
  assert.deepEqual(unsafe, []);
  const other = id();
  const { sums } = await load(other, text);
  assert.equal(sums.created, names.length);
  const facts = (list: ContactJson[]) =>
    list.map(({ name, phone, tags, attributes }) => [name, phone, tags, attributes]).toReversed();
  assert.deepEqual(facts(await contacts(other)).toReversed(), facts(await contacts(w)));
  assert.equal((await load(w, text)).sums.unchanged, names.length);
});

test("several batches and pages: 2,500 rows in, 2,500 lines out, the total exact", async () => {
  const w = await workspace();
  const text = `phone\n${Array.from({ length: 2_500 }, (_, n) => `${n}`).join("\n")}\n`;
  const { sums } = await load(w, text);
  assert.equal(sums.created, 2_500);
  assert.equal((await csvOf(w)).trimEnd().split("\r\n").length, 2_501);
  assert.equal((await listContacts(t.app, w, { page: 26, pageSize: 100 })).total, 2_500);
});

test("a patch changes what it names, is told once, and keeps the search right", async () => {
  const w = id();
  const made = await createContact(OPERATOR, t.app, w, {
    name: "Old",
    email: "a@b.co",
    tags: ["x"],
    attributes: { a: 1 },
  });
  const patched = await updateContact(OPERATOR, t.app, w, made.id, {
    name: "New",
    email: null,
    phone: "+5",
    optedOut: true,
  });
  assert.deepEqual(
    [patched.name, patched.email, patched.phone, patched.tags],
    ["New", null, "5", ["x"]],
  );
  assert.equal(patched.optedOut, true);
  assert.deepEqual(await findContact(t.app.db, w, made.id), patched);
  await updateContact(OPERATOR, t.app, w, made.id, { name: "New", optedOut: true });
  assert.deepEqual(await eventKinds(w), [
    "contact.created",
    "contact.updated",
    "contact.opted_out",
  ]);
  const found = async (search: string) =>
    (await listContacts(t.app, w, { search, page: 1, pageSize: 5 })).total;
  assert.deepEqual([await found("new"), await found("old"), await found("a@b")], [1, 0, 0]);
  const refused = (patch: object, code: string) =>
    assert.rejects(
      updateContact(OPERATOR, t.app, w, made.id, patch),
      (error) => error instanceof AppError && error.code === code,
    );
  await refused({ phone: null }, "CONTACT_NEEDS_IDENTITY");
  await refused({ email: "no" }, "VALIDATION_FAILED");
  await deleteContact(t.app, w, made.id);
  await refused({ name: "x" }, "NOT_FOUND");
  assert.equal((await listContacts(t.app, w, { page: 1, pageSize: 5 })).total, 0);
});

test("a cell that says nothing counts as empty: N/A, -, null and the like", async () => {
  const workspace = id();
  const { sums } = await load(
    workspace,
    [
      "name,email,phone,notes,attribute.city",
      "Sara,N/A,96550000001,-,null",
      "Mona,n.a.,96550000002,—,#N/A",
      "-,mona@b.co,(null),--,Cairo",
    ].join("\n"),
  );
  assert.deepEqual([sums.created, sums.refused], [3, 0]);
  const shown = (await contacts(workspace)).map((one) => [
    one.name,
    one.email,
    one.phone,
    one.notes,
    one.attributes,
  ]);
  assert.deepEqual(shown, [
    ["Sara", null, "96550000001", null, {}],
    ["Mona", null, "96550000002", null, {}],
    [null, "mona@b.co", null, null, { city: "Cairo" }],
  ]);
  const lines = `{"phone":"96550000003","email":"N/A","name":"null"}\n`;
  assert.equal((await load(workspace, lines, "jsonl")).sums.created, 1);
  assert.deepEqual((await contacts(workspace)).at(-1)?.name, null);
});

test("an invalid e-mail beside a good phone is left out and counted; alone it refuses the row", async () => {
  const workspace = id();
  const { sums, rows, told } = await load(
    workspace,
    "email,phone\nsara(at)b.co,96550000001\nnobody,\nnone at all,x\nmona@b.co,96550000002\n",
  );
  assert.deepEqual([sums.rows, sums.created, sums.refused, sums.emailsLeftOut], [4, 2, 2, 1]);
  assert.deepEqual(rows[0]?.done, ["email_left_out"]);
  assert.deepEqual(told.slice(1, 3), [
    [3, "refused", "email: must be an e-mail address"],
    [4, "refused", "email: must be an e-mail address; phone: must be 1 to 40 digits"],
  ]);
  assert.deepEqual(
    (await contacts(workspace)).map((one) => [one.email, one.phone]),
    [
      [null, "96550000001"],
      ["mona@b.co", "96550000002"],
    ],
  );
});

test("with a country, local numbers get its code, match the contacts that have them, and are counted", async () => {
  const workspace = id();
  await load(workspace, "name,phone\nSara,+965 5000 0001\n");
  const sums = await importContacts(
    t.app,
    workspace,
    bytes("name,phone\nSara A,5000 0001\nMona,201001234567\nAli,12345\n"),
    { format: "csv", country: "KW" },
  );
  assert.deepEqual([sums.updated, sums.created, sums.refused, sums.phonesCompleted], [1, 1, 1, 1]);
  assert.deepEqual(
    (await contacts(workspace)).map((one) => [one.name, one.phone]),
    [
      ["Sara A", "96550000001"],
      ["Mona", "201001234567"],
    ],
  );
});
