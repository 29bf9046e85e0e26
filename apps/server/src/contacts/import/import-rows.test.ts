import assert from "node:assert/strict";
import { test } from "node:test";
import { readImportRows, type ReadOptions } from "./import-rows.ts";

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
/** What each row says, without empty fields; or why it is refused. */
async function read(text: string, options: Partial<ReadOptions> = {}) {
  const rows: unknown[] = [];
  for await (const row of readImportRows(bytes(text), { format: "csv", ...options }))
    rows.push(
      "reason" in row
        ? row.reason
        : Object.fromEntries(
            Object.entries(row.contact).filter(
              ([, value]) =>
                value !== null && (typeof value !== "object" || Object.keys(value).length > 0),
            ),
          ),
    );
  return rows;
}
const SHORTENED =
  "phone: is a number that a spreadsheet shortened, its last digits are lost: make the column text there and export it again";
const lines = (...objects: object[]) => objects.map((one) => JSON.stringify(one)).join("\n");

test("numbers that would lose digits are refused; as text, which CSV always is, they are kept", async () => {
  const inexact = "has more digits than a number keeps; give it as text, in quotes";
  const jsonl = [
    '{"phone":"1","attributes":{"a":{"b":12345678901234567890}}}',
    '{"phone":"2","attribute.a":1e400}',
    '{"phone":"3","attribute.a":"12345678901234567890"}',
  ];
  assert.deepEqual(await read(jsonl.join("\n"), { format: "jsonl" }), [
    `attributes.a.b: ${inexact}`,
    `attributes.a: ${inexact}`,
    { phone: "3", attributes: { a: "12345678901234567890" } },
  ]);
  assert.deepEqual(
    await read(
      'phone,attribute.a,attributes\n1,12345678901234567890,\n2,,"{""b"":12345678901234567890}"\n',
    ),
    [{ phone: "1", attributes: { a: "12345678901234567890" } }, `attributes.b: ${inexact}`],
  );
});

test("a phone that a spreadsheet marks as text is read; one that it rounded is refused", async () => {
  const cells = ["'96550000001", '"=""0096550000001"""', "'+96550000001", "9.65E+11"];
  assert.deepEqual(await read(`phone\n${cells.join("\n")}\n`), [
    ...[1, 2, 3].map(() => ({ phone: "96550000001" })),
    SHORTENED,
  ]);
});

test("members of JSON Lines are named like columns; no member is dropped silently", async () => {
  const text = lines(
    { Name: "A", Mobile: "96550000001", optedout: true, tag: ["VIP"], createdAt: "2026-01-01" },
    { phone: "96550000002", city: "Kuwait" },
    { phone: "96550000003", mobile: "96550000004" },
    { phone: "96550000005", attributes: { a: [1] }, "attribute.city": "Hawalli" },
    { phone: "96550000006", attributes: 5, "attribute.city": "Hawalli" },
  );
  assert.deepEqual(await read(text, { format: "jsonl" }), [
    { name: "A", phone: "96550000001", optedOut: true, tags: ["vip"] },
    'line: the member "city" is not known; map it to a field, to attribute.<key> or to ignore',
    'line: the members "phone" and "mobile" mean one field, phone: map all but one to ignore or to attribute.<key>',
    { phone: "96550000005", attributes: { a: [1], city: "Hawalli" } },
    "attributes: must be an object",
  ]);
});

test("a mapping counts for members as for columns", async () => {
  const map = { Tel: "phone", city: "attribute.city", password: "ignore" };
  const text = lines({ Tel: "96550000001", city: { name: "Kuwait" }, password: "x" });
  assert.deepEqual(await read(text, { format: "jsonl", map }), [
    { phone: "96550000001", attributes: { city: { name: "Kuwait" } } },
  ]);
});

test("Arabic digits of a number, Arabic words of an opt-out and Arabic commas between tags are read", async () => {
  const text = [
    "الاسم\tرقم الجوال\tالوسوم\tإلغاء الاشتراك",
    "سارة\t+٩٦٥ ٥٠٠٠-١٠٠١\tvip، جديد؛ x\tنعم",
    "عمر\t۰۰۹۶۵۵۰۰۰۱۰۰۲\t\tلا",
    "ليلى\t٩٦٥٥٠٠٠١٠٠٣\t\t١",
    "منى\t9.65500E+11\t\t",
  ].join("\r\n");
  assert.deepEqual(await read(text), [
    { name: "سارة", phone: "96550001001", tags: ["vip", "جديد", "x"], optedOut: true },
    { name: "عمر", phone: "96550001002", optedOut: false },
    { name: "ليلى", phone: "96550001003", optedOut: true },
    SHORTENED,
  ]);
});

test("a number to which a spreadsheet added a decimal is read right, in any digits and kind of file", async () => {
  const own = ["96550001001.0", "٩٦٥٥٠٠٠١٠٠١٫٠", "٩٦٥٥٠٠٠١٠٠١.٠", "۹۶۵۵۰۰۰۱۰۰۱.0"];
  const people = own.map(() => ({ phone: "96550001001" }));
  assert.deepEqual(await read(["phone", ...own].join("\n")), people);
  const text = lines(...own.map((phone) => ({ phone })));
  assert.deepEqual(await read(text, { format: "jsonl" }), people);
});

test("tags that begin with a bracket are tags; a list of them that breaks off is refused", async () => {
  const cells = ["[vip]", "[vip];new", '"[""a"", ""b,c""]"', '"[""a"",""b"'];
  assert.deepEqual(await read(["phone\ttags", ...cells.map((tags) => `1\t${tags}`)].join("\n")), [
    { phone: "1", tags: ["[vip]"] },
    { phone: "1", tags: ["[vip]", "new"] },
    { phone: "1", tags: ["a", "b,c"] },
    "tags: must be a whole JSON list",
  ]);
});

test("spaces beside a delimiter are not part of an attribute", async () => {
  assert.deepEqual(await read("phone, attribute.city, attributes\n1, Kuwait City ,\n"), [
    { phone: "1", attributes: { city: "Kuwait City" } },
  ]);
});

test("an external id is text of at most 200 characters that can be stored", async () => {
  const ids = ["x".repeat(200), "x".repeat(201), "a\0", "\ud800", 7];
  const text = lines(...ids.map((externalId) => ({ externalId })));
  assert.deepEqual(await read(text, { format: "jsonl" }), [
    { externalId: "x".repeat(200) },
    "externalId: must not have more than 200 characters",
    "externalId: must be well-formed Unicode without NUL",
    "externalId: must be well-formed Unicode without NUL",
    "externalId: must be text",
  ]);
});
