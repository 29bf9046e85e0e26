import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { importContacts } from "../../contacts/import/import-contacts.ts";
import { sql } from "../../db/sql.ts";
import { runImportFile } from "../../imports/run-import-files.ts";
import { updateMember } from "../../workspaces/change-member.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import type { ImportJson, LookJson, RefusalJson } from "../../wire/import.ts";
import { openBrowsers, type Browsers } from "./people.fixture.ts";

let m: Messaging;
let browsers: Browsers;
before(async () => {
  m = await startMessaging();
  browsers = await openBrowsers(m.t.app);
});
after(async () => {
  await browsers[Symbol.asyncDispose]();
  await m[Symbol.asyncDispose]();
});

/** An admin of a new workspace in Kuwait, signed in. */
async function openOffice() {
  const input = { name: "Office", plan: "growth", country: "KW" } as const;
  const { id: workspaceId } = await createWorkspace(OPERATOR, m.t.app, input);
  const { id: memberId, ask, send } = await browsers.signIn(workspaceId, "admin", "Noor");
  return {
    workspaceId,
    memberId,
    ask,
    send,
    upload: (name: string, bytes: Buffer) =>
      ask<ImportJson & { details: object[] }>(
        "POST",
        `/imports?name=${encodeURIComponent(name)}`,
        bytes,
        { "content-type": "text/csv" },
      ),
  };
}

const DIRTY = [
  "الاسم,Tel,البريد الالكتروني,وسوم,Shoe size,Ort",
  "سارة الأحمد,5000 0001,sara@example.com,vip،كويت,38,Kuwait",
  "Mona,9.65E+11,,,,",
  "Omar,+965 5000 0002,not an address,,41,",
  "Nobody,,,,,",
  "Sara again,96550000001,,new,,",
  "Two,50000003 / 50000004,,,,",
  "Wide,50000005,,,,,,surplus",
].join("\r\n");

test("a column is proposed as a number or date when all its values are such; codes with a leading zero, phones and mixed values stay text", async () => {
  const { ask, upload } = await openOffice();
  const rows = [
    "name,phone,Spent,Joined,Code,Mobile,Mixed,Empty",
    "Sara,96550000001,1250,2026-01-31,0012,50000011,3,",
    "Omar,96550000002,-3.5,2025-12-01,0450,50000012,three,",
    "Mona,96550000003,١٢,2024-02-29,7,50000013,4,",
  ].join("\n");
  const { id } = (await upload("people.csv", Buffer.from(rows))).json;
  const look = (await ask<LookJson>("POST", `/imports/${id}/look`, {})).json;
  assert.deepEqual(
    look.columns.slice(2).map(({ name, valueType }) => `${name} ${valueType}`),
    ["Spent number", "Joined date", "Code text", "Mobile text", "Mixed text", "Empty text"],
  );
});

test("a file whose first rows cannot be read is refused with its reason, and waits for another encoding", async () => {
  const { ask, upload } = await openOffice();
  type Refused = { message: string; details: { path: string; message: string }[] };
  const openQuote = Buffer.from('name,phone\n"Sara,96550000001\n'.padEnd(3_000_000, "x"));
  for (const [name, bytes, wish, reason] of [
    [
      "picture.csv",
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]),
      { encoding: "utf-8" },
      /UTF-8/,
    ],
    ["quote.csv", openQuote, {}, /line 2/],
  ] as const) {
    const { id } = (await upload(name, bytes)).json;
    const look = await ask<Refused>("POST", `/imports/${id}/look`, wish);
    assert.deepEqual([look.status, look.json.message], [400, "VALIDATION_FAILED"], name);
    assert.match(look.json.details[0]?.message ?? "", reason, name);
    const other = await ask("POST", `/imports/${id}/look`, { encoding: "windows-1256" });
    assert.equal(other.status, name === "quote.csv" ? 400 : 200, name);
  }
});

test("a dirty file is examined, started, imported by a worker and reported; its bytes are removed", async () => {
  const { ask, upload, send, workspaceId, memberId } = await openOffice();
  async function* known() {
    yield Buffer.from("name,phone\nOmar the old,96550000002\n");
  }
  await importContacts(m.t.app, workspaceId, known(), { format: "csv" });
  const file = await upload("زبائن.csv", Buffer.from(DIRTY));
  assert.deepEqual(
    [file.status, file.json.state, file.json.byMemberId],
    [201, "uploaded", memberId],
  );
  const { id } = file.json;

  const look = (await ask<LookJson>("POST", `/imports/${id}/look`, {})).json;
  assert.deepEqual(
    [look.encoding, look.country, look.columns.map(({ field, by }) => `${field} ${by}`)],
    [
      "utf-8",
      "KW",
      ["name name", "phone name", "email name", "tags name", "ignore nothing", "ignore nothing"],
    ],
  );
  assert.deepEqual(look.columns[0]?.samples.slice(0, 2), ["سارة الأحمد", "Mona"]);
  const { tried } = look;
  assert.ok(tried);
  assert.deepEqual(
    tried.first.map(({ line, outcome, kind, known: whom }) => [line, outcome, kind, whom]),
    [
      [2, "created", null, null],
      [3, "refused", "phone_shortened", null],
      [4, "updated", null, "Omar the old"],
      [5, "refused", "no_address", null],
      [6, "updated", null, null],
      [7, "refused", "several_phones", null],
      [8, "refused", "wrong_width", null],
    ],
  );
  const { rows, whole, refused, phonesCompleted, emailsLeftOut, repeated } = tried;
  assert.deepEqual(
    { rows, whole, refused, phonesCompleted, emailsLeftOut, repeated },
    { rows: 7, whole: true, refused: 4, phonesCompleted: 1, emailsLeftOut: 1, repeated: 1 },
  );
  const before = await m.t.app.db.query(
    sql`select count(*)::int as n from contact where workspace_id = ${workspaceId}`,
  );
  assert.deepEqual(before, [{ n: 1 }], "looking stores nothing");

  const map = Object.fromEntries(look.columns.map(({ name, field }) => [name, field]));
  const twice = { map: { ...map, Ort: "name" } };
  const fault = (await ask<LookJson>("POST", `/imports/${id}/look`, twice)).json;
  assert.deepEqual(
    [fault.tried, /mean one field, name/.test(fault.fault?.message ?? ""), fault.fault?.code],
    [null, true, "columns.twice"],
  );
  assert.deepEqual(fault.fault?.params, { columns: "الاسم, Ort" });
  const wish = { map: { ...map, Ort: "attribute.city" } };
  const started = await ask<ImportJson>("POST", `/imports/${id}/start`, wish);
  assert.deepEqual([started.status, started.json.state], [202, "waiting"]);
  assert.equal((await ask("POST", `/imports/${id}/start`, wish)).status, 409, "started once");
  await m.t.app.drain();

  type Told = ImportJson & { refusals: RefusalJson[] };
  const told = (await ask<Told>("GET", `/imports/${id}`)).json;
  const { state, created, updated, part } = told;
  assert.deepEqual(
    { state, created, updated, part, refused: told.refused },
    { state: "done", created: 1, updated: 2, part: 1, refused: 4 },
  );
  assert.deepEqual(
    new Map(told.refusals.map(({ kind, lines }) => [kind, lines])),
    new Map([
      ["phone_shortened", [3]],
      ["no_address", [5]],
      ["several_phones", [7]],
      ["wrong_width", [8]],
    ]),
  );
  const listed = (await ask<{ imports: ImportJson[] }>("GET", "/imports")).json.imports;
  assert.deepEqual(
    listed.map((one) => [one.id, one.state]),
    [[id, "done"]],
  );
  const people = await m.t.app.db.query(sql`select name, phone, tags, attributes from contact
    where workspace_id = ${workspaceId} order by phone`);
  assert.deepEqual(people, [
    {
      name: "Sara again",
      phone: "96550000001",
      tags: ["vip", "كويت", "new"],
      attributes: { city: "Kuwait" },
    },
    { name: "Omar", phone: "96550000002", tags: [], attributes: {} },
  ]);
  const refusedFile = await send("GET", `/imports/${id}/refused`);
  assert.match(String(refusedFile.headers["content-disposition"]), /^attachment; .*refused\.csv/);
  assert.match(refusedFile.body, /^\ufeffالاسم,.*import line,import reason\r?\nMona,9\.65E\+11,/);
  const inArabic = (await send("GET", `/imports/${id}/refused?lang=ar`)).body;
  assert.match(
    inArabic,
    /import line,import reason\r?\nMona,9\.65E\+11,.*,3,الهاتف مكتوب بصيغة علمية/,
  );
  assert.doesNotMatch(inArabic, /spreadsheet|CONTACT_NEEDS|numbers:|fields where/);
  const notices = await ask<{ items: object[]; unread: number }>("GET", "/notices");
  const [notice] = notices.json.items;
  assert.deepEqual(notice, {
    ...notice,
    kind: "import",
    ref: `/contacts/import?run=${id}`,
    facts: { outcome: "done", file: "زبائن.csv", created: 1, updated: 2, unchanged: 0, refused: 4 },
    read: false,
  });
  const left = await m.t.app.db.query(sql`select 1 from media where workspace_id = ${workspaceId}`);
  assert.deepEqual(left, [], "the bytes are gone");
});

test("an import that fails at its header says why by a code", async () => {
  const { ask, upload } = await openOffice();
  const { id } = (await upload("people.csv", Buffer.from("name,phone,Shoe size\nSara,5,38\n")))
    .json;
  // A program starts it without a look at the columns.
  await ask("POST", `/imports/${id}/start`, {});
  await m.t.app.drain();
  const told = (await ask<ImportJson>("GET", `/imports/${id}`)).json;
  assert.deepEqual([told.state, told.failure?.code], ["failed", "columns.unknown"]);
  assert.deepEqual(told.failure?.params, { columns: "Shoe size" });
});

test("windows-1256, UTF-16 and a workbook are told apart before anything is stored", async () => {
  const { ask, upload } = await openOffice();
  const arabic: Record<string, number> = { س: 0xd3, ا: 0xc7, ر: 0xd1, ة: 0xc9, ف: 0xdd, ي: 0xed };
  const old = Array.from("name,phone\nسارة,50000001\nفاري,50000002\n");
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ["old.csv", Buffer.from(old.map((char) => arabic[char] ?? char.charCodeAt(0))), "windows-1256"],
    ["wide.txt", Buffer.from("\ufeffname\tphone\nسارة\t50000001\n", "utf16le"), "utf-16le"],
  ];
  for (const [name, bytes, encoding] of cases) {
    const { id } = (await upload(name, bytes)).json;
    const look = (await ask<LookJson>("POST", `/imports/${id}/look`, {})).json;
    assert.deepEqual(
      [look.encoding, look.tried?.first[0]?.name, look.tried?.first[0]?.phone],
      [encoding, "سارة", "96550000001"],
    );
  }
  const book = await upload("people.xlsx", Buffer.from([0x50, 0x4b, 3, 4, 0, 0]));
  assert.deepEqual([book.status, /workbook/.test(JSON.stringify(book.json.details))], [400, true]);
  assert.equal((await upload("people.pdf", Buffer.from("x"))).status, 400);
  assert.equal((await upload("empty.csv", Buffer.alloc(0))).status, 400);
});

test("a stopped import goes on with the first remaining row; a cancelled one does not", async () => {
  const { ask, upload, workspaceId } = await openOffice();
  const rows = Array.from({ length: 2_500 }, (_, n) => `P${n},5${String(n).padStart(7, "0")}`);
  const bytes = Buffer.from(["name,phone", ...rows].join("\n"));
  const start = async (name: string, content: Buffer) => {
    const { id } = (await upload(name, content)).json;
    await ask("POST", `/imports/${id}/start`, {});
    return id;
  };
  const read = async (id: string) => (await ask<ImportJson>("GET", `/imports/${id}`)).json;
  const id = await start("many.csv", bytes);
  // The process is told to stop: each run ends after its first batch.
  assert.equal(await runImportFile(m.t.app, () => true), true);
  const broken = await read(id);
  assert.equal(broken.state, "waiting");
  assert.ok(broken.rows > 0 && broken.rows < 2_500, String(broken.rows));
  await m.t.app.drain();
  const whole = await read(id);
  assert.deepEqual([whole.state, whole.rows, whole.created], ["done", 2_500, 2_500]);

  const second = await start("more.csv", Buffer.from(`${String(bytes)}\nLast,60000000`));
  assert.equal(await runImportFile(m.t.app, () => true), true);
  assert.equal((await ask("POST", `/imports/${second}/cancel`)).status, 200);
  await m.t.app.drain();
  const cancelled = await read(second);
  assert.equal(cancelled.state, "cancelled");
  assert.ok(cancelled.rows < 2_501);
  assert.equal((await ask("POST", `/imports/${second}/cancel`)).status, 409);
  const [sum] = await m.t.app.db.query(sql`select count(*)::int as n from contact
    where workspace_id = ${workspaceId}`);
  assert.deepEqual(sum, { n: 2_500 });
  const other = await openOffice();
  for (const path of [`/imports/${id}`, `/imports/${id}/refused`])
    assert.equal((await other.ask("GET", path)).status, 404);
});

test("an import ends when its uploader may no longer import, before its first row and between two batches", async () => {
  const office = await openOffice();
  const { workspaceId, memberId } = office;
  const colleague = await browsers.signIn(workspaceId, "admin");
  const rows = Array.from({ length: 2_500 }, (_, n) => `P${n},5${String(n).padStart(7, "0")}`);
  const start = async (by: Pick<typeof office, "ask">, name: string) => {
    const bytes = Buffer.from(["name,phone", ...rows].join("\n"));
    const type = { "content-type": "text/csv" };
    const { id } = (await by.ask<ImportJson>("POST", `/imports?name=${name}`, bytes, type)).json;
    await by.ask("POST", `/imports/${id}/start`, { match: name === "a.csv" ? "any" : "phone" });
    return id;
  };
  const read = async (id: string) =>
    (await colleague.ask<ImportJson>("GET", `/imports/${id}`)).json;

  const begun = await start(office, "a.csv");
  assert.equal(await runImportFile(m.t.app, () => true), true);
  const { rows: taken } = await read(begun);
  assert.ok(taken > 0 && taken < 2_500, String(taken));
  const waiting = await start(office, "b.csv");
  await updateMember(OPERATOR, m.t.app, workspaceId, memberId, { role: "agent" });
  await m.t.app.drain();
  for (const [id, rowsIn] of [
    [begun, taken],
    [waiting, 0],
  ] as const) {
    const { state, failure, rows: all } = await read(id);
    const message = "the member who uploaded it may no longer import contacts";
    assert.deepEqual(
      { state, failure, all },
      { state: "failed", failure: { code: "not_allowed", message, params: {} }, all: rowsIn },
    );
  }

  const third = await start(colleague, "c.csv");
  const last = await browsers.signIn(workspaceId, "owner");
  const disabled = await last.ask("PATCH", `/team/${colleague.id}`, { disabled: true });
  assert.equal(disabled.status, 200);
  await m.t.app.drain();
  const left = (await last.ask<ImportJson>("GET", `/imports/${third}`)).json;
  assert.deepEqual([left.state, left.failure?.code, left.rows], ["failed", "not_allowed", 0]);
});
