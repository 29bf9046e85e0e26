import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { AppError } from "../../errors.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { readAttribute } from "../attributes/attribute-definition.ts";
import { createContact } from "../record/create-contact.ts";
import { defineAttribute, removeAttribute } from "../attributes/define-attribute.ts";
import { importContacts } from "./import-contacts.ts";
import { importRefusals, pruneImportRefusals } from "./import-refusals.ts";
import { inspectImport } from "./inspect-import.ts";
import { listContacts } from "../record/list-contacts.ts";
import { listImports, runImport, type ImportOptions } from "./run-import.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const workspace = async () => (await createWorkspace(OPERATOR, t.app, { name: "A" })).id;
async function* bytes(all: Uint8Array, chunk = 4_096): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < all.length; at += chunk) yield all.subarray(at, at + chunk);
}
async function fileOf(content: string | Uint8Array, chunk?: number) {
  const all = Buffer.from(content);
  return {
    ...(await inspectImport(bytes(all, chunk))),
    name: "people.csv",
    open: () => bytes(all, chunk),
  };
}
const load = async (
  workspaceId: string,
  content: string | Uint8Array,
  options: Partial<ImportOptions> = {},
  chunk?: number,
) =>
  runImport(OPERATOR, t.app, workspaceId, await fileOf(content, chunk), {
    format: "csv",
    ...options,
  });
async function people(workspaceId: string): Promise<ContactJson[]> {
  const { documents } = await listContacts(t.app, workspaceId, { page: 1, pageSize: 200 });
  return (JSON.parse(`[${documents.toString()}]`) as ContactJson[]).reverse();
}
async function rejects(workspaceId: string, importId: string): Promise<string> {
  let text = "";
  for await (const line of importRefusals(OPERATOR, t.app, workspaceId, importId)) text += line;
  return text;
}
const refuses = (details: RegExp) => (error: unknown) => {
  assert.ok(error instanceof AppError);
  assert.match(error.message, details);
  return true;
};

const utf16 = (text: string, big: boolean): Uint8Array => {
  const all = Buffer.from(`\ufeff${text}`, "utf16le");
  return big ? all.swap16() : all;
};
/** A code page for the letters that the tests use. */
const inCodePage = (name: string, text: string): Uint8Array => {
  const decoder = new TextDecoder(name);
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
  );
  return Uint8Array.from(text, (char) => table.get(char) ?? assert.fail(`no ${char} in ${name}`));
};
const cp1256 = (text: string): Uint8Array => inCodePage("windows-1256", text);
const arabic = "الاسم,رقم الجوال,البريد الإلكتروني\nسارة أحمد,+965 5000 0001,s@example.com\n";
const files: readonly (readonly [string, string | Uint8Array, string, string])[] = [
  ["UTF-8", arabic, "utf-8", "سارة أحمد"],
  ["UTF-8 with a mark", `\ufeff${arabic}`, "utf-8", "سارة أحمد"],
  ["UTF-16, little end first", utf16(arabic, false), "utf-16le", "سارة أحمد"],
  ["UTF-16, big end first", utf16(arabic, true), "utf-16be", "سارة أحمد"],
  ["windows-1256", cp1256(arabic), "windows-1256", "سارة أحمد"],
  [
    "ISO-8859-6",
    inCodePage("iso-8859-6", arabic.replace("سارة أحمد", "يوسف عطية")),
    "iso-8859-6",
    "يوسف عطية",
  ],
  ["UTF-16 without a mark", utf16(arabic, false).subarray(2), "utf-16le", "سارة أحمد"],
  [
    "UTF-16 of plain letters, big end first, without a mark",
    utf16("name\tphone\temail\nJosé\t+96550000001\ts@example.com\n", true).subarray(2),
    "utf-16be",
    "José",
  ],
  [
    "windows-1252",
    Buffer.from(
      "name;phone;email\nJosé Müller-Çağ".replace("ğ", "g") + ";+96550000001;s@example.com\n",
      "latin1",
    ),
    "windows-1252",
    "José Müller-Çag",
  ],
  ["tabs", arabic.replaceAll(",", "\t"), "utf-8", "سارة أحمد"],
  ["bars and Excel's line", `sep=|\n${arabic.replaceAll(",", "|")}`, "utf-8", "سارة أحمد"],
];
for (const [name, content, encoding, expected] of files) {
  test(`a file in ${name} is read without being told its encoding, however it is cut`, async () => {
    for (const chunk of [1, 4_096]) {
      const w = await workspace();
      const file = await fileOf(content, chunk);
      assert.equal(file.encoding, encoding);
      const done = await runImport(OPERATOR, t.app, w, file, { format: "csv" });
      assert.equal(done.created, 1, await rejects(w, done.id));
      const [one] = await people(w);
      assert.deepEqual(
        [one?.name, one?.phone, one?.email],
        [expected, "96550000001", "s@example.com"],
      );
    }
  });
}

test("an archive or a workbook is named as such", async () => {
  for (const [mark, what] of [
    ["PK\u0003\u0004", /file: is a workbook \(\.xlsx\) or a ZIP archive: save it as CSV/],
    ["\u00d0\u00cf\u0011\u00e0", /file: is a workbook \(\.xls\)/],
    ["\u001f\u008b\b", /file: is packed by gzip: unpack it first/],
  ] as const)
    await assert.rejects(fileOf(Buffer.from(`${mark}name,phone`, "latin1")), refuses(what));
});

test("a cell that was cut within a letter stops a UTF-8 file there, and spoils no name before it", async () => {
  const w = await workspace();
  const row = (n: number) => `سارة محمد,9655000000${n}\n`;
  const cut = Buffer.from("سارة محم").subarray(0, -1);
  const content = Buffer.concat([
    Buffer.from(`name,phone\n${row(1)}${row(2)}`),
    cut,
    Buffer.from(`,96550000003\n${row(4)}`),
  ]);
  for (const chunk of [1, 7, 4_096])
    assert.equal((await fileOf(content, chunk)).encoding, "utf-8", `in pieces of ${chunk}`);
  const done = await load(w, content);
  assert.deepEqual([done.created, done.refused, done.stoppedAt], [2, 1, 4]);
  assert.deepEqual(
    (await people(w)).map((one) => one.name),
    ["سارة محمد", "سارة محمد"],
  );
  // Text whose letters look like UTF-8 by chance stays as it is.
  const page = await fileOf(cp1256("name,phone\nقال: ماذا؟ نعم، چاي گرم,96550000001\n"));
  assert.equal(page.encoding, "windows-1256");
});

test("columns are known by their usual names, by a mapping, or not at all", async () => {
  const w = await workspace();
  const csv = 'Full Name,"Mobile no.",Shoe size,Secret\nSara,5,38,x\n';
  await assert.rejects(load(w, csv), refuses(/"Mobile no."/));
  assert.deepEqual(await listImports(t.app, w), [], "nothing is stored of a header not understood");
  const map = { "mobile NO": "phone", "Shoe size": "attribute.shoe", Secret: "ignore" };
  assert.equal((await load(w, csv, { map })).created, 1);
  const wide = Array.from({ length: 200 }, (_, n) => `A column with a long name ${n}`);
  const longMap = Object.fromEntries(wide.map((column, n) => [column, `attribute.key${n}`]));
  const line = `phone,${wide.join(",")}\n7${",x".repeat(200)}\n`;
  const long = await load(await workspace(), line, { map: longMap });
  assert.equal(long.created, 1, "200 mapped columns");
  const [one] = await people(w);
  assert.deepEqual([one?.name, one?.phone, one?.attributes], ["Sara", "5", { shoe: "38" }]);
  await assert.rejects(
    load(w, csv, { map: { ...map, Nowhere: "name" } }),
    refuses(/no column "Nowhere"/),
  );
  await assert.rejects(
    load(w, csv, { map: { ...map, Secret: "password" } }),
    refuses(/cannot be "password"/),
  );
  await assert.rejects(
    load(w, csv, { map: { ...map, Secret: "name" } }),
    refuses(/the columns "Full Name" and "Secret" mean one field, name/),
  );
});

test("people are matched by the address that was asked for, and by no other", async () => {
  const csv = "name,phone,email,externalId\nNew,1,a@x.co,E\n,,,E9\n";
  for (const [match, updated] of [
    ["any", 1],
    ["phone", 1],
    ["email", 0],
    ["externalId", 0],
  ] as const) {
    const w = await workspace();
    await createContact(OPERATOR, t.app, w, { name: "Old", phone: "1", email: "other@x.co" });
    const done = await load(w, csv, { match });
    assert.equal(done.updated, updated, match);
    const second = match === "any" || match === "externalId" ? "created" : "refused";
    assert.equal(done[second], second === "created" ? 2 - updated : 1, match);
  }
});

test("the matched contact does not depend on where a batch ends: the oldest with the address, however it got it", async () => {
  const before = "name,phone,externalId\nOlder,,E\nYounger,7,\n";
  const [head, moved, met] = ["name,phone,externalId\n", ",7,E\n", "Met,7,\n"];
  const [together, apart] = [await workspace(), await workspace()];
  for (const file of [before, head + moved + met]) await load(together, file);
  for (const file of [before, head + moved, head + met]) await load(apart, file);
  const names = async (w: string) => (await people(w)).map((one) => one.name);
  assert.deepEqual(await names(together), ["Met", "Younger"]);
  assert.deepEqual(await names(apart), ["Met", "Younger"]);
  // Both have 7 now. The row that moves one away leaves 7 to the other, and no contact is created.
  const [lost, next] = [",8,E\n", "Next,7,\n"];
  await load(together, head + lost + next);
  for (const file of [head + lost, head + next]) await load(apart, file);
  assert.deepEqual(await names(together), ["Met", "Next"]);
  assert.deepEqual(await names(apart), ["Met", "Next"]);
});

test("refused rows come back as CSV with line and reason; corrected, they are imported", async () => {
  const w = await workspace();
  const csv = 'name,phone,note\n=SUM(1),abc,"two\nlines"\nB,2,\nC,3,x,y\nD,"4"5,\n,,\n';
  const done = await load(w, csv);
  assert.deepEqual([done.created, done.refused, done.rows], [1, 4, 5]);
  const text = await rejects(w, done.id);
  assert.equal(
    text,
    "name,phone,note,import line,import reason\r\n" +
      `'=SUM(1),abc,"two\nlines",2,phone: must be 1 to 40 digits\r\n` +
      'C,3,"x,y",5,4 fields where the header has 3\r\n' +
      'D,"4""5,",,6,there is text after a closing quote\r\n' +
      ',,,7,"CONTACT_NEEDS_IDENTITY: neither e-mail, phone nor external id"\r\n',
  );
  // Unchanged, the file is refused again and does not grow, except for the row that still has too many cells.
  const again = await load(w, text.replace("C,3,", "C,?,"));
  assert.deepEqual([again.created, again.refused], [0, 4]);
  assert.equal(
    await rejects(w, again.id),
    "name,phone,note,import line,import reason\r\n" +
      `'=SUM(1),abc,"two\nlines",2,phone: must be 1 to 40 digits\r\n` +
      'C,?,"x,y",4,phone: must be 1 to 40 digits\r\n' +
      'D,"4""5,",,5,phone: must be 1 to 40 digits\r\n' +
      ',,,6,"CONTACT_NEEDS_IDENTITY: neither e-mail, phone nor external id"\r\n',
  );
  const wide = await load(w, "name,phone,import line,import reason\nE,6,1,x,y\n");
  assert.match(
    await rejects(w, wide.id),
    /^name,phone,import line,import reason\r\nE,"6,1,x,y",2,/,
  );
  const mended = await load(w, text.replace("abc", "9").split("\r\n").slice(0, 2).join("\r\n"));
  assert.equal(mended.created, 1);
  assert.equal((await people(w)).at(-1)?.name, "=SUM(1)");
  t.clock.advance(31 * 86_400_000);
  while ((await pruneImportRefusals(t.app)) > 0);
  assert.equal(
    (await rejects(w, done.id)).split("\r\n").length,
    2,
    "only the header after thirty days",
  );
});

test("refused lines of JSON come back as lines of JSON, character by character; corrected, they are imported", async () => {
  const w = await workspace();
  const lines = [
    '{"phone":"x", "attributes":{"a":12345678901234567890}}',
    "{}",
    '{"phone":"96550001001"',
    '{"phone":"96550001002"}',
    '{"name":"\\ud83d\\ude42 \\"q\\"","email":"nobody"}',
  ];
  const done = await load(w, lines.join("\n"), { format: "jsonl" });
  assert.deepEqual([done.created, done.refused], [1, 4]);
  const inexact = "attributes.a: has more digits than a number keeps; give it as text, in quotes";
  const nobody = "CONTACT_NEEDS_IDENTITY: neither e-mail, phone nor external id";
  const left = [
    `{"phone":"x", "attributes":{"a":12345678901234567890},"import line":1,"import reason":"phone: must be 1 to 40 digits; ${inexact}"}`,
    `{"import line":2,"import reason":"${nobody}"}`,
    '{"import text":"{\\"phone\\":\\"96550001001\\"","import line":3,"import reason":"line: must be a JSON object"}',
    '{"name":"\\ud83d\\ude42 \\"q\\"","email":"nobody","import line":5,"import reason":"email: must be an e-mail address"}',
  ];
  const text = await rejects(w, done.id);
  assert.equal(text, `${left.join("\n")}\n`);
  // Unchanged, the file is refused for the same reasons and does not grow.
  const again = await load(w, text, { format: "jsonl" });
  assert.equal(again.refused, 4);
  const spaced = text.replaceAll(/,(?="import)/g, ", ").replaceAll(/":(?=\d|")/g, '": ');
  for (const id of [again.id, (await load(w, spaced, { format: "jsonl" })).id])
    for (const line of (await rejects(w, id)).trimEnd().split("\n"))
      assert.equal(line.split('"import reason"').length, 2, line);
  const mended = text
    .replace('"x"', "96550001003")
    .replace("12345678901234567890", '"12345678901234567890"')
    .replace("nobody", "s@example.com");
  assert.deepEqual((await load(w, mended, { format: "jsonl" })).created, 2);
  const [, one, two] = await people(w);
  assert.deepEqual(
    [one?.phone, one?.attributes, two?.name],
    ["96550001003", { a: "12345678901234567890" }, '🙂 "q"'],
  );
});

test("a dry run stores nothing and tells what would happen", async () => {
  const w = await workspace();
  await createContact(OPERATOR, t.app, w, { name: "Old", phone: "1" });
  const csv = Buffer.from("name,phone\nNew,1\nB,2\nC,x\n");
  const sums = await importContacts(t.app, w, bytes(csv), {
    format: "csv",
    dryRun: true,
  });
  assert.deepEqual([sums.created, sums.updated, sums.refused], [1, 1, 1]);
  assert.deepEqual(
    (await people(w)).map((one) => one.name),
    ["Old"],
  );
  assert.deepEqual(await listImports(t.app, w), []);
});

test("a column name that a spreadsheet would compute is the same again when the corrected rows come back", async () => {
  const w = await workspace();
  const options = { map: { "@handle": "attribute.handle", "-": "ignore" } };
  const done = await load(w, "@handle,-,phone\n@x,=1,none\n", options);
  const mended = (await rejects(w, done.id)).replace(",none,", ",5,");
  assert.ok(mended.startsWith("'@handle,'-,phone,"));
  assert.equal((await load(w, mended, options)).created, 1);
  assert.deepEqual((await people(w))[0]?.attributes, { handle: "@x" });
});

test("defined attributes are read as their type and misfits are refused; the API still takes any JSON", async () => {
  const w = await workspace();
  const define = (key: string, type: string, choices?: string[]) =>
    defineAttribute(OPERATOR, t.app, w, { key, type, choices });
  await define("age", "number");
  await define("joined", "date");
  await define("vip", "boolean");
  await define("size", "choice", ["Small", "Large"]);
  const header =
    "phone,attribute.age,attribute.joined,attribute.vip,attribute.size,attribute.free\n";
  const done = await load(
    w,
    `${header}1,٤٢,2026-02-28,نعم,small,7\n2,,2026-02-28T12:00:00+03:00,NO,,\n3,x,,,,\n3,123456789012345.123,,,,\n4,,2026-02-31,,,\n5,,,maybe,,\n6,,,,medium,\n`,
  );
  assert.deepEqual(
    (await people(w)).map((one) => one.attributes),
    [
      { age: 42, joined: "2026-02-28", vip: true, size: "Small", free: "7" },
      { joined: "2026-02-28T09:00:00.000Z", vip: false },
    ],
  );
  const reasons = (await rejects(w, done.id)).match(/attribute\.\w+: [^\r]*/g);
  assert.deepEqual(
    reasons?.map((reason) => reason.replace(/"$/, "")),
    [
      "attribute.age: must be a number, like 1250 or -3.5",
      "attribute.age: has more digits than a number keeps",
      "attribute.joined: must be a date (2026-11-21) or a time with its zone (2026-11-21T10:00:00Z)",
      "attribute.vip: must be true or false",
      "attribute.size: must be one of Small, Large",
    ],
  );
  const numbered = { key: "shoe", label: "shoe", type: "choice", choices: ["41", "42"] } as const;
  assert.equal(readAttribute(numbered, 42), "42");
  const cities = { ...numbered, choices: ["Orl\u00e9ans"] };
  assert.equal(readAttribute(cities, "orle\u0301ans"), "Orl\u00e9ans");
  const free = await createContact(OPERATOR, t.app, w, {
    phone: "9",
    attributes: { age: "old", vip: [] },
  });
  assert.deepEqual(free.attributes, { age: "old", vip: [] });
  await removeAttribute(OPERATOR, t.app, w, "age");
  assert.equal((await load(w, "phone,attribute.age\n3,x\n")).created, 1);
  for (const input of [
    ...["", " a", "a\0", "\ud800", "x".repeat(201)].map((key) => ({ key, type: "text" })),
    { key: "a", type: "text", label: "x".repeat(201) },
    { key: "a", type: "choice", choices: ["x", ""] },
    { key: "a", type: "colour" },
    { key: "a", type: "choice" },
    { key: "a", type: "choice", choices: ["x", "X"] },
    { key: "a", type: "text", choices: ["x"] },
  ])
    await assert.rejects(defineAttribute(OPERATOR, t.app, w, input), { code: "VALIDATION_FAILED" });
});
