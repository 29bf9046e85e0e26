import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { startTestApp } from "../../test/harness.ts";
import { attributeTerms } from "../contacts/attributes/attribute-terms.ts";
import { CHANNEL_TYPES } from "../wire/words.ts";
import type { ContactJson } from "../wire/contact.ts";
import { createContacts } from "../contacts/record/create-contact.ts";
import { findContacts } from "../contacts/identity/find-contact.ts";
import type { Db } from "../db/database.ts";
import { join, sql } from "../db/sql.ts";
import { compileCount, compileSegment } from "./segment-sql.ts";
import { countSegment } from "./count-segment.ts";
import { evaluate } from "./evaluate.fixture.ts";
import { INSTANT } from "./instant-pattern.ts";
import type { Definition } from "./segment.ts";

const DAY = 86_400_000;
const NOW = new Date("2026-11-21T12:00:00.250Z");
const at = (offset: number) => new Date(NOW.getTime() + offset).toISOString();
const words = ["sara", "Sara", "AHMED", "ahmed ali", "سارة", "a%b_c\\", "5", "5.50", "true", "x"];
/**
 * Texts with the same first forty characters, and characters that a tsvector or tsquery would read as its own
 * signs.
 */
const hard = [
  "it's",
  "a\\b",
  "a:*|!b&(c)",
  "٥",
  "ÉCOLE",
  "école",
  "İBRAHİM",
  "ibrahim",
  // Letters that a Turkish locale lowers in another way, and a letter with two small forms.
  "IŞIK INFO",
  "işik info",
  "ışık",
  "ΝΊΚΟΣ",
  "νίκος",
  // Composed and decomposed letters, marks in two orders, and what lower case makes of İ elsewhere.
  "e\u0301cole",
  "أحمد",
  "ا\u0654حمد",
  "محم\u0651\u064eد",
  "محم\u064e\u0651د",
  "I\u0307brahi\u0307m",
  // Letters without case, with marks of their own; of one or of three characters.
  "王小明",
  "हिन्दी",
  "ก็ได้",
  "김수",
  "김수".normalize("NFD"),
  "x".repeat(40),
  "X".repeat(41),
];
const others = ["x".repeat(39) + "🙂", "x".repeat(39) + "🙃", "007", "-0", "-5.10", "0.0010", "99"];
const numbers = [0, 5, 5.5, -3, -5.1, -5, 0.001, -0.02, 99.5, 100, 9_999.25, 10_000, 99_999, 1e15];
const days = [
  "2026-01-01",
  "2026-02-31",
  "2026-13-01",
  "2026-00-10",
  "2026-11-31",
  "2026-12-31",
  "2025-02-29",
  "2024-02-29",
  "1900-02-29",
  "2000-02-29",
  "0000-02-29",
  "2026-06-15T24:00:00Z",
  "2026-06-15T10:60:00Z",
  "2026-02-30",
  // A leap second, no zone, another zone than UTC, and what else people write.
  "2016-12-31T23:59:60Z",
  "2026-06-15T10:00:00",
  "2026-06-15T10:00:00+03:00",
  "2026-06-15T10:00Z",
  "2026-06-15t10:00:00z",
  "2026-06-15 10:00:00Z",
  "2026-06-15T10:00:00.1234Z",
  "2026-6-15",
  "2026-06-15\n",
  "٢٠٢٦-٠٦-١٥",
  "12026-06-15",
  "2026-06-15T10:00:00Z",
  "2026-06-15T10:00:00.5Z",
  "2099-01-01",
  "1999-12-31",
  "2025-12-31T23:59:59.999Z",
  ...[1, 7, 30].flatMap((n) => [at(-n * DAY - 1), at(-n * DAY), at(-n * DAY).slice(0, 10)]),
  at(0),
  at(1),
  at(0).slice(0, 10),
  at(DAY).slice(0, 10),
];
const attributeValue = fc.oneof(
  fc.constantFrom<unknown[]>(...words, ...hard, ...others, "", true, false, null),
  fc.constantFrom(...days),
  fc.constantFrom(...numbers, 1e21, 1e-7, -2.5e-45, 1e60, -1e300),
  fc.integer({ min: -120, max: 120 }).map((n) => n / 10),
  fc.constant([1, "sara"]),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const contactArbitrary = fc.record({
  name: maybe(fc.constantFrom(...words, ...hard)),
  email: maybe(fc.constantFrom("sara@example.com", "A@B.co", "INFO@IKEA.co")),
  phone: fc.constantFrom("96550000001", "5", "0096655", "12", "99", "9965", "129", "13"),
  tags: fc.array(fc.constantFrom("vip", "new", "vip-gold", "سارة"), { maxLength: 3 }),
  attributes: fc.dictionary(fc.constantFrom("k", "K", "when", "0"), attributeValue, { maxKeys: 4 }),
  optedOut: fc.boolean(),
  channelType: maybe(fc.constantFrom(...CHANNEL_TYPES)),
  seenDaysAgo: maybe(fc.constantFrom(0, 1, 29.99, 30, 30.01, 400)),
  madeDaysAgo: fc.constantFrom(0, 1, 7, 100),
});

const rule = (field: fc.Arbitrary<string>, ops: string[], value: fc.Arbitrary<unknown>) =>
  fc.record({ field, op: fc.constantFrom(...ops), value });
const one = fc.constant;
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 3 });
const text = fc.constantFrom(...words, ...hard, ...others, "xx", "سار", "王", "小明", "न्दी", "수");
const attribute = fc.constantFrom(
  "attribute.k",
  "attribute.K",
  "attribute.when",
  "attribute.0",
  "attribute.none",
);
const anyText = fc.oneof(one("name"), one("email"), attribute);
const scalar = fc.constantFrom<unknown[]>(...words, ...hard, ...numbers, true, false);
const size = fc.oneof(
  fc.constantFrom(...numbers, -100, 1e300, 1e-9, 1e-7, 1e21, 1e60),
  fc.integer({ min: -120, max: 120 }).map((n) => n / 10),
);
const tagValue = fc.constantFrom("vip", "VIP ", "new", "v", "سارة");
const phoneValue = fc.constantFrom("+96550000001", "5", "12", "9", "99", "129", "965500");
const dateValue = fc.constantFrom(
  "2026-01-01",
  "2026-06-15T10:00:00Z",
  "2026-06-15T13:00:00.500+03:00",
  "2090-01-01",
  at(0),
  at(-DAY),
  at(-7 * DAY),
  "2025-12-31",
  "2026-01-01T00:00:00+14:00",
  "2026-03-01",
  "2024-03-01",
  "2026-12-31",
  "2026-06-16",
  "1999-12-31",
  "2000-01-01",
  "0000-01-01T00:00:00+03:00",
  "9999-12-31T23:00:00-03:00",
);
const sizes = ["gt", "gte", "lt", "lte"];
const ruleArbitrary = fc.oneof(
  rule(anyText, ["eq", "neq", "contains", "not_contains", "starts_with"], text),
  rule(anyText, ["in", "not_in"], list(text)),
  rule(attribute, ["eq", "neq"], scalar),
  rule(attribute, ["in", "not_in"], list(scalar)),
  rule(attribute, sizes, size),
  rule(attribute, ["before", "after", ...sizes], dateValue),
  rule(one("phone"), ["eq", "neq", "contains", "not_contains", "starts_with"], phoneValue),
  rule(one("phone"), ["in", "not_in"], list(phoneValue)),
  rule(
    one("tag"),
    ["eq", "neq", "contains", "not_contains", "starts_with"],
    tagValue.map((v) => v.trim()),
  ),
  rule(one("tag"), ["in", "not_in"], list(tagValue.map((v) => v.trim().toLowerCase()))),
  rule(one("channelType"), ["eq", "neq"], fc.constantFrom(...CHANNEL_TYPES)),
  rule(one("channelType"), ["in", "not_in"], list(fc.constantFrom(...CHANNEL_TYPES))),
  rule(one("optedOut"), ["eq", "neq"], fc.boolean()),
  rule(fc.constantFrom("createdAt", "lastSeenAt"), [...sizes, "before", "after"], dateValue),
  rule(
    fc.constantFrom("createdAt", "lastSeenAt", "attribute.when"),
    ["within_days", "not_within_days"],
    fc.constantFrom(1, 7, 30, 36_500),
  ),
  rule(
    fc.oneof(anyText, fc.constantFrom("phone", "tag", "channelType", "lastSeenAt")),
    ["exists", "not_exists"],
    one(undefined),
  ),
);
/** Groups as deep as a definition may be: five, including the outermost. */
const groups = (depth: number): fc.Arbitrary<Definition> =>
  fc.record({
    match: fc.constantFrom("all" as const, "any" as const),
    rules: fc.array(
      depth === 1
        ? ruleArbitrary
        : fc.oneof(
            { weight: 4, arbitrary: ruleArbitrary },
            { weight: 1, arbitrary: groups(depth - 1).filter((g) => g.rules.length > 0) },
          ),
      { maxLength: 4, size: "max" },
    ) as fc.Arbitrary<Definition["rules"]>,
  });
const groupArbitrary = groups(5);

interface Found {
  readonly ids: readonly string[];
  readonly count: number;
}

/** The contacts that each definition names, and how many it counts, from PostgreSQL in one statement. */
async function ask(db: Db, w: string, definitions: readonly Definition[]): Promise<Found[]> {
  const from = sql`from contact c where c.workspace_id = ${w} and`;
  const found = definitions.map((definition) => {
    const { where, others } = compileCount(definition, NOW);
    const all = sql`(select count(*) from contact where workspace_id = ${w}) -`;
    return sql`json_build_object('ids', array(select c.id ${from} ${compileSegment(definition, NOW)}),
      'count', ${others ? all : sql``} (select count(*) ${from} ${where}))`;
  });
  const [row] = await db.query<{ all: Found[] }>(
    sql`select json_build_array(${join(found, ", ")}) as all`,
  );
  return row?.all ?? [];
}

const LISTS = 60;
const LENGTH = 25;

test("1,500 definitions name exactly the contacts that their rules mean, and so do their counts", async () => {
  await using t = await startTestApp();
  t.clock.set(NOW);
  const people = fc.sample(contactArbitrary, { numRuns: 150, seed: 7 });
  const w = t.app.ids.next();
  const made = await t.app.db.transaction((tx) =>
    createContacts(
      t.app,
      tx,
      people.map((contact) => ({ actor: OPERATOR, workspaceId: w, contact })),
    ),
  );
  const ids = made.map((outcome) =>
    outcome.ok ? outcome.value.id : assert.fail(String(outcome.error)),
  );
  const ago = (n: number | null) => (n === null ? null : new Date(NOW.getTime() - n * DAY));
  await t.app.db.query(sql`
    update contact c set opted_out_at = p.o, channel_type = p.ct, last_seen_at = p.l, created_at = p.m
    from unnest(${ids}::uuid[], ${people.map((p) => (p.optedOut ? NOW : null))}::timestamptz[],
      ${people.map((p) => p.channelType)}::text[], ${people.map((p) => ago(p.seenDaysAgo))}::timestamptz[],
      ${people.map((p) => ago(p.madeDaysAgo))}::timestamptz[]) as p(id, o, ct, l, m)
    where c.workspace_id = ${w} and c.id = p.id`);
  const contacts = await findContacts(t.app.db, w, ids);
  let checked = 0;
  let divided = 0;
  const expected = (definition: Definition): ContactJson[] =>
    contacts.filter((contact) => evaluate(definition, contact, NOW));
  await fc.assert(
    fc.asyncProperty(
      fc.array(groupArbitrary, { minLength: LENGTH, maxLength: LENGTH }),
      async (definitions) => {
        const found = await ask(t.app.db, w, definitions);
        for (const [index, definition] of definitions.entries()) {
          const wanted = expected(definition).map((contact) => contact.id);
          const told = JSON.stringify(definition);
          assert.deepEqual(found[index]?.ids.toSorted(), wanted.toSorted(), told);
          assert.equal(found[index]?.count, wanted.length, told);
          checked += 1;
          if (wanted.length > 0 && wanted.length < contacts.length) divided += 1;
        }
        const [first] = definitions;
        if (first) assert.equal(await countSegment(t.app, w, first), expected(first).length);
      },
    ),
    { numRuns: LISTS, endOnFailure: true },
  );
  assert.equal(checked, LISTS * LENGTH);
  assert.ok(divided > checked / 4, `only ${divided} of ${checked} divide the contacts`);
});

test("a contact's terms match its attributes, whoever wrote them last", async () => {
  await using t = await startTestApp();
  const w = t.app.ids.next();
  const people = fc.sample(contactArbitrary, { numRuns: 100, seed: 11 });
  await t.app.db.transaction((tx) =>
    createContacts(
      t.app,
      tx,
      people.map((contact) => ({ actor: OPERATOR, workspaceId: w, contact })),
    ),
  );
  const rows = await t.app.db.query<{
    attributes: ContactJson["attributes"];
    terms: string | null;
  }>(sql`select attributes, attribute_terms::text as terms from contact where workspace_id = ${w}`);
  assert.equal(rows.length, 100);
  for (const { attributes, terms } of rows) {
    const [same] = await t.app.db.query<{ terms: string | null }>(
      sql`select ${attributeTerms(attributes)}::tsvector::text as terms`,
    );
    assert.equal(terms, same?.terms);
  }
  await assert.rejects(
    t.app.db.query(sql`update contact set attribute_terms = null where workspace_id = ${w}`),
    /contact_has_attribute_terms/,
  );
});

test("days and times that do not exist are no dates, and every day that exists is one", async () => {
  await using t = await startTestApp();
  const days = Array.from({ length: 8 * 13 * 33 }, (_, n) => {
    const year = ["1900", "2000", "2023", "2024", "2096", "2100", "0000", "0004"][n % 8];
    const [month, day] = [Math.floor(n / 8) % 13, Math.floor(n / 104)];
    return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  });
  const times = ["00:00:00", "23:59:59.999", "24:00:00", "23:60:00", "23:59:60"];
  const all = [...days, ...times.map((time) => `2026-11-22T${time}Z`)];
  const rows = await t.app.db.query<{ text: string }>(
    sql`select text from unnest(${all}::text[]) as t(text) where text ~ ${INSTANT}`,
  );
  const exists = (text: string) =>
    new Date(text).toJSON()?.startsWith(text.slice(0, 10)) === true && !text.includes("T24:");
  const wanted = all.filter(exists);
  assert.deepEqual(
    rows.map((row) => row.text),
    wanted,
  );
  assert.equal(wanted.length, 8 * 365 + 5 + 2);
});
