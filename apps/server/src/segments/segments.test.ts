import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { CONTACT_CHANNEL_TYPES } from "../contacts/contact.ts";
import { createContacts } from "../contacts/create-contact.ts";
import { findContacts } from "../contacts/find-contact.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { AppError } from "../errors.ts";
import { sql } from "../db/sql.ts";
import { createRefreshSegmentsWorker } from "../workers/refresh-segments.ts";
import { compileSegment } from "./compile-segment.ts";
import { countSegment } from "./count-segment.ts";
import { createSegment } from "./create-segment.ts";
import { evaluate } from "./evaluate.fixture.ts";
import { findSegment } from "./find-segment.ts";
import { listSegments } from "./list-segments.ts";
import type { Definition } from "./segment.ts";

let t: TestApp;
let workspaceId: string;
before(async () => {
  t = await startTestApp();
  workspaceId = (await createWorkspace(t.app, { name: "A" })).id;
});
after(() => t[Symbol.asyncDispose]());

const DAY = 86_400_000;
const words = ["sara", "Sara", "AHMED", "ahmed ali", "سارة", "a%b_c\\", "5", "5.50", "true", "x"];
const days = [
  "2026-01-01",
  "2026-02-31",
  "2026-06-15T10:00:00Z",
  "2026-06-15T10:00:00.5Z",
  "2099-01-01",
];
const attributeValue = fc.oneof(
  fc.constantFrom(...words, ...days, "", 5, 5.5, -3, 1e21, true, false, null),
  fc.constant([1, "sara"]),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const contactArbitrary = fc.record({
  name: maybe(fc.constantFrom(...words)),
  email: maybe(fc.constantFrom("sara@example.com", "A@B.co")),
  phone: fc.constantFrom("96550000001", "5", "0096655", "12", "99", "9965", "129", "13"),
  tags: fc.array(fc.constantFrom("vip", "new", "vip-gold", "سارة"), { maxLength: 3 }),
  attributes: fc.dictionary(fc.constantFrom("k", "when", "0"), attributeValue, { maxKeys: 3 }),
  optedOut: fc.boolean(),
  channelType: maybe(fc.constantFrom(...CONTACT_CHANNEL_TYPES)),
  seenDaysAgo: maybe(fc.constantFrom(0, 1, 29.99, 30, 30.01, 400)),
  madeDaysAgo: fc.constantFrom(0, 1, 7, 100),
});

const rule = (field: fc.Arbitrary<string>, ops: string[], value: fc.Arbitrary<unknown>) =>
  fc.record({ field, op: fc.constantFrom(...ops), value });
const one = fc.constant;
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 3 });
const text = fc.constantFrom(...words);
const attribute = fc.constantFrom("attribute.k", "attribute.when", "attribute.0", "attribute.none");
const anyText = fc.oneof(one("name"), one("email"), attribute);
const scalar = fc.constantFrom<unknown[]>(...words, 5, 5.5, -3, true, false);
const tagValue = fc.constantFrom("vip", "VIP ", "new", "v", "سارة");
const phoneValue = fc.constantFrom("+96550000001", "5", "12", "9", "99", "129", "965500");
const dateValue = fc.constantFrom(
  "2026-01-01",
  "2026-06-15T10:00:00Z",
  "2026-06-15T13:00:00.500+03:00",
  "2090-01-01",
);
const sizes = ["gt", "gte", "lt", "lte"];
const ruleArbitrary = fc.oneof(
  rule(anyText, ["eq", "neq", "contains", "not_contains", "starts_with"], text),
  rule(anyText, ["in", "not_in"], list(text)),
  rule(attribute, ["eq", "neq"], scalar),
  rule(attribute, ["in", "not_in"], list(scalar)),
  rule(attribute, sizes, fc.constantFrom(5, 5.5, -100, 1e300)),
  rule(attribute, ["before", "after", ...sizes], dateValue),
  rule(one("phone"), ["eq", "neq", "contains", "not_contains", "starts_with"], phoneValue),
  rule(one("phone"), ["in", "not_in"], list(phoneValue)),
  rule(
    one("tag"),
    ["eq", "neq", "contains", "not_contains", "starts_with"],
    tagValue.map((v) => v.trim()),
  ),
  rule(one("tag"), ["in", "not_in"], list(tagValue.map((v) => v.trim().toLowerCase()))),
  rule(one("channelType"), ["eq", "neq"], fc.constantFrom(...CONTACT_CHANNEL_TYPES)),
  rule(one("channelType"), ["in", "not_in"], list(fc.constantFrom(...CONTACT_CHANNEL_TYPES))),
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
/** Groups as deep as a definition may be: five, the outermost among them. */
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

test("the compiled condition names exactly the contacts that the rules mean", async () => {
  const people = fc.sample(contactArbitrary, { numRuns: 120, seed: 7 });
  const now = t.clock.now();
  const w = t.app.ids.next();
  const made = await t.app.db.transaction((tx) =>
    createContacts(
      t.app,
      tx,
      people.map((contact) => ({ workspaceId: w, contact })),
    ),
  );
  const ids = made.map((outcome) =>
    outcome.ok ? outcome.value.id : assert.fail(String(outcome.error)),
  );
  const ago = (n: number | null) => (n === null ? null : new Date(now.getTime() - n * DAY));
  await t.app.db.query(sql`
    update contact c set opted_out_at = p.o, channel_type = p.ct, last_seen_at = p.l, created_at = p.m
    from unnest(${ids}::uuid[], ${people.map((p) => (p.optedOut ? now : null))}::timestamptz[],
      ${people.map((p) => p.channelType)}::text[], ${people.map((p) => ago(p.seenDaysAgo))}::timestamptz[],
      ${people.map((p) => ago(p.madeDaysAgo))}::timestamptz[]) as p(id, o, ct, l, m)
    where c.workspace_id = ${w} and c.id = p.id`);
  const contacts = await findContacts(t.app.db, w, ids);
  let chosen = 0;
  await fc.assert(
    fc.asyncProperty(groupArbitrary, async (definition) => {
      const rows = await t.app.db.query<{ id: string }>(
        sql`select c.id from contact c where c.workspace_id = ${w} and ${compileSegment(definition, now)}`,
      );
      const expected = contacts
        .filter((contact) => evaluate(definition, contact, now))
        .map((c) => c.id);
      if (expected.length > 0 && expected.length < contacts.length) chosen += 1;
      assert.deepEqual(new Set(rows.map((row) => row.id)), new Set(expected));
    }),
    { numRuns: 300 },
  );
  assert.ok(chosen > 100, `only ${chosen} of the definitions divide the contacts`);
});

const refusals: readonly (readonly [unknown, string])[] = [
  [null, "definition"],
  [[], "definition"],
  [{ rules: [] }, "match"],
  [{ match: "none", rules: [] }, "match"],
  [{ match: "all" }, "rules"],
  [{ match: "all", rules: ["x"] }, "rules[0]"],
  [{ match: "all", rules: [{ field: "password", op: "eq", value: "x" }] }, "rules[0].field"],
  [{ match: "all", rules: [{ field: "attribute.", op: "exists" }] }, "rules[0].field"],
  [{ match: "all", rules: [{ field: "__proto__", op: "eq", value: 1 }] }, "rules[0].field"],
  [{ match: "all", rules: [{ field: "name", op: "gt", value: 5 }] }, "rules[0].op"],
  [{ match: "all", rules: [{ field: "name", op: "like", value: 5 }] }, "rules[0].op"],
  [{ match: "all", rules: [{ field: "name", op: "eq" }] }, "rules[0].value"],
  [{ match: "all", rules: [{ field: "name", op: "eq", value: 5 }] }, "rules[0].value"],
  [{ match: "all", rules: [{ field: "name", op: "in", value: [] }] }, "rules[0].value"],
  [{ match: "all", rules: [{ field: "name", op: "in", value: ["a", 5] }] }, "rules[0].value[1]"],
  [{ match: "all", rules: [{ field: "name", op: "eq", value: "a\0" }] }, "rules[0].value"],
  [
    { match: "all", rules: [{ field: "attribute.k", op: "gt", value: "2026-02-31" }] },
    "rules[0].value",
  ],
  [{ match: "all", rules: [{ field: "phone", op: "eq", value: "abc" }] }, "rules[0].value"],
  [{ match: "all", rules: [{ field: "channelType", op: "eq", value: "FAX" }] }, "rules[0].value"],
  [{ match: "all", rules: [{ field: "optedOut", op: "eq", value: "true" }] }, "rules[0].value"],
  [
    { match: "all", rules: [{ field: "createdAt", op: "before", value: "2026-02-31" }] },
    "rules[0].value",
  ],
  [
    { match: "all", rules: [{ field: "createdAt", op: "before", value: "yesterday" }] },
    "rules[0].value",
  ],
  [
    { match: "all", rules: [{ field: "createdAt", op: "within_days", value: 0 }] },
    "rules[0].value",
  ],
  [
    {
      match: "all",
      rules: [
        { field: "name", op: "exists" },
        { match: "any", rules: [] },
      ],
    },
    "rules[1].rules",
  ],
  [
    { match: "all", rules: [{ match: "any", rules: [{ field: "tag", op: "eq", value: 1 }] }] },
    "rules[0].rules[0].value",
  ],
  [
    { match: "all", rules: Array.from({ length: 101 }, () => ({ field: "name", op: "exists" })) },
    "rules[100]",
  ],
];
for (const [definition, path] of refusals) {
  test(`refused at ${path}: ${JSON.stringify(definition)?.slice(0, 100)}`, async () => {
    await assert.rejects(createSegment(t.app, workspaceId, { name: "x", definition }), (error) => {
      assert.ok(error instanceof AppError);
      assert.equal(error.code, "VALIDATION_FAILED");
      assert.deepEqual(
        error.facts.details?.map((detail) => detail.path),
        [path],
      );
      return true;
    });
  });
}

test("a definition that is a thousand groups deep is refused, not followed", async () => {
  let definition: object = { match: "all", rules: [{ field: "name", op: "exists" }] };
  for (let n = 0; n < 1_000; n++) definition = { match: "all", rules: [definition] };
  await assert.rejects(createSegment(t.app, workspaceId, { name: "x", definition }), AppError);
});

test("a segment is listed as it was given, gets its count from the worker, and a fresh one later", async () => {
  const w = (await createWorkspace(t.app, { name: "B" })).id;
  const definition = {
    rules: [{ value: "vip", op: "eq", field: "tag", label: "kept" }],
    match: "any",
  };
  const made = await createSegment(t.app, w, { name: " VIPs ", definition });
  assert.equal(made.name, "VIPs");
  assert.equal(JSON.stringify(made.definition), JSON.stringify(definition));
  assert.deepEqual([made.cachedCount, made.cachedAt], [null, null]);
  assert.deepEqual(await listSegments(t.app, w), [made]);
  assert.equal(await findSegment(t.app.db, workspaceId, made.id), null);
  assert.equal(await findSegment(t.app.db, w, "nonsense"), null);

  const add = () =>
    t.app.db.transaction((tx) =>
      createContacts(t.app, tx, [{ workspaceId: w, contact: { phone: "1", tags: ["VIP"] } }]),
    );
  const worker = createRefreshSegmentsWorker(t.app);
  const refresh = async () => {
    while ((await worker.runOnce()) > 0);
    return (await findSegment(t.app.db, w, made.id))?.cachedCount;
  };
  await add();
  assert.equal(await refresh(), 1);
  await add();
  assert.equal(await refresh(), 1, "fresh enough");
  t.clock.advance(16 * 60_000);
  assert.equal(await refresh(), 2);
});

test("an empty rule list is everyone who has not opted out", async () => {
  const w = t.app.ids.next();
  const items = Array.from({ length: 3 }, () => ({ workspaceId: w, contact: { phone: "1" } }));
  await t.app.db.transaction((tx) => createContacts(t.app, tx, items));
  await t.app.db.query(sql`
    update contact set opted_out_at = ${t.clock.now()}
    where workspace_id = ${w} and id = (select id from contact where workspace_id = ${w} limit 1)`);
  for (const match of ["all", "any"] as const) {
    assert.equal(await countSegment(t.app, w, { match, rules: [] }), 2);
  }
});
