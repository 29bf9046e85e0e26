import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "../../errors.ts";
import { looksLikeEmail, normaliseContact, normalisePhone, phoneDigits } from "./contact-input.ts";
import type { Attributes, ContactInput } from "./contact.ts";

const phones: readonly (readonly [string, string | null])[] = [
  ["96550000001", "96550000001"],
  ["+965 5000-0001", "96550000001"],
  ["00965 (5000) 0001", "96550000001"],
  ["(+965) 5000.0001", "96550000001"],
  ["+965\u00a05000\u20110001\u202c", "96550000001"],
  ["\u200b965\u20605000\u00ad0001\u200d", "96550000001"],
  ["+1\ufe0d-555-123-4567", "15551234567"],
  ["1", "1"],
  ["9".repeat(40), "9".repeat(40)],
  ["9".repeat(41), null],
  ["+", null],
  ["00", null],
  ["()", null],
  ["++965", null],
  ["965a", null],
  ["965,1", null],
  ["٩٦٥", null],
];
for (const [typed, stored] of phones) {
  test(`the phone ${JSON.stringify(typed)} becomes ${stored ?? "a fault"}`, () => {
    assert.equal(normalisePhone(typed), stored);
  });
}

test("an invisible mark makes a phone invalid to the letter, and is dropped from one that was typed", () => {
  for (const mark of [
    "\u200e",
    "\u202a",
    "\u202c",
    "\u200b",
    "\u2060",
    "\u00ad",
    "\ufeff",
    "\ufe0f",
  ]) {
    const phone = `+965${mark}50000001`;
    assert.equal(phoneDigits(phone), null, escape(mark));
    assert.equal(normalisePhone(phone), "96550000001", escape(mark));
  }
  assert.equal(phoneDigits("+965 (5000)\u00a0[00]\u2011.01"), "96550000001");
});

test("an e-mail address has one @ and a host with a dot", () => {
  const good = [
    "a@b.co",
    "a+b@c-d.example.com",
    "ü@bücher.de",
    "'@x.y",
    "o'neil/!#$%&*=?^_`{|}~@x.co",
  ];
  good.push("سارة@مثال.إختبار", "a..b.@x.co", `${"x".repeat(195)}@b.co`, "a@4you.co", "ａ@ｂ.co");
  for (const one of good) assert.ok(looksLikeEmail(one), one);
  const bad = ["a", "a@b", "@b.co", "a@", "a@b.", "a@.b", "a@b..c", "a b@c.de", "a@b@c.de"];
  bad.push(
    "<a@b.co>",
    "a@b.co>",
    "(a)@b.co",
    "a@[10.0.0.1]",
    "a@10.0.0.1",
    "a@b.co,",
    "a@b.co;",
    "a,b@c.co",
  );
  bad.push(
    "mailto:a@b.co",
    '"a"@b.co',
    "a@b.co/",
    "a@-b.co",
    "a@b-.co",
    "a@b_c.co",
    "a@b.c!",
    "a@b．co",
  );
  bad.push("a\u200b@b.co", "a\u200f@b.co", "a@b\u202c.co", `a@${"x".repeat(64)}.co`);
  for (const one of bad) assert.ok(!looksLikeEmail(one), one);
});

test("invisible marks around an e-mail address are dropped, as spaces are", () => {
  const email = " \u202aSara@Example.com\u202c\u200f ";
  assert.equal(normaliseContact({ email }).email, "Sara@Example.com");
  assert.equal(normaliseContact({ email: "\u200f", phone: "1" }).email, null);
});

const faultsOf = (input: ContactInput): string[] => {
  try {
    normaliseContact(input);
    return [];
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error.facts.details?.map((detail) => detail.path) ?? [error.code];
  }
};
const bytes = (n: number): Attributes => ({ a: "x".repeat(n - 8) });
/** Four bytes each. */
const manyTags = (n: number): string[] =>
  Array.from({ length: n }, (_, i) => i.toString(36).padStart(4, "0"));
const nested = (levels: number): Attributes => ({
  a: JSON.parse(`${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}`),
});
const faults: readonly (readonly [string, ContactInput, string[]])[] = [
  ["neither e-mail nor phone", { name: "x", email: " ", phone: "" }, ["CONTACT_NEEDS_IDENTITY"]],
  [
    "nulls count as absent",
    { name: null, email: null, phone: "1", tags: null, attributes: null },
    [],
  ],
  [
    "every fault is named",
    { name: "x".repeat(201), email: "no", phone: "no" },
    ["name", "email", "phone"],
  ],
  ["200 characters of two units each", { name: "🙂".repeat(200), phone: "1" }, []],
  ["5,000 and 5,001 characters of notes", { notes: "n".repeat(5_001), phone: "1" }, ["notes"]],
  ["16 KiB of attributes", { attributes: bytes(16_384), phone: "1" }, []],
  ["one byte more", { attributes: bytes(16_385), phone: "1" }, ["attributes"]],
  ["attributes of 31 levels", { attributes: nested(31), phone: "1" }, []],
  ["of 32", { attributes: nested(32), phone: "1" }, ["attributes"]],
  ["of a thousand", { attributes: nested(1_000), phone: "1" }, ["attributes"]],
  ["NUL in a name", { name: "a\0", phone: "1" }, ["name"]],
  ["a lone surrogate in a tag", { tags: ["ok", "\ud800"], phone: "1" }, ["tags.1"]],
  ["a tag of 200 characters", { tags: ["🙂".repeat(200)], phone: "1" }, []],
  ["one of 201", { tags: ["ok", "t".repeat(201)], phone: "1" }, ["tags.1"]],
  ["one that lower case makes longer", { tags: ["İ".repeat(101)], phone: "1" }, ["tags.0"]],
  ["16 KiB of tags", { tags: manyTags(4_096), phone: "1" }, []],
  ["one tag more", { tags: manyTags(4_097), phone: "1" }, ["tags"]],
  ["a tag given over and over", { tags: Array(50_000).fill("vip"), phone: "1" }, []],
  ["NUL in an attribute", { attributes: { a: ["\0"] }, phone: "1" }, ["attributes"]],
  ["a lone surrogate in a key", { attributes: { "\udfff": 1 }, phone: "1" }, ["attributes"]],
  [
    "text that only looks like an escape",
    { attributes: { a: "\\u0000 \\\\ud800" }, phone: "1" },
    [],
  ],
];
for (const [name, input, expected] of faults) {
  test(`faults of a new contact: ${name}`, () => assert.deepEqual(faultsOf(input), expected));
}
