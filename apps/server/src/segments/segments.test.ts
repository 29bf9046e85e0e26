import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { unhindered } from "../lib/background.fixture.ts";
import { createContacts } from "../contacts/record/create-contact.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { QueryTimeout, type Db } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { parseJson } from "../lib/parse-json.ts";
import { sql } from "../db/sql.ts";
import { createRefreshSegmentsWorker } from "../workers/refresh-segments.ts";
import { countSegment } from "./count-segment.ts";
import { createSegment } from "./create-segment.ts";
import { findSegment } from "./find-segment.ts";
import { listSegments } from "./list-segments.ts";

let t: TestApp;
let workspaceId: string;
before(async () => {
  t = await startTestApp();
  workspaceId = (await createWorkspace(OPERATOR, t.app, { name: "A" })).id;
});
after(() => t[Symbol.asyncDispose]());

const refusals: readonly (readonly [unknown, string])[] = [
  [null, "definition"],
  [[], "definition"],
  [{ rules: [] }, "match"],
  [{ match: "none", rules: [] }, "match"],
  [{ match: "all" }, "rules"],
  [{ match: "all", rules: ["x"] }, "rules[0]"],
  [{ match: "all", rules: [{ match: "any" }] }, "rules[0].match"],
  [
    {
      match: "all",
      rules: [{ field: "tag", op: "eq", value: "a", rules: [{ field: "tag", op: "exists" }] }],
    },
    "rules[0].field",
  ],
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
  [{ match: "all", rules: [{ field: "tag", op: "starts_with", value: "  " }] }, "rules[0].value"],
  [{ match: "all", rules: [{ field: "tag", op: "exists", value: false }] }, "rules[0].value"],
  [{ match: "all", rules: [{ field: "tag", op: "eq", value: ["vip"] }] }, "rules[0].value"],
  [{ match: "all", rules: [{ field: "attribute.k", op: "eq", value: null }] }, "rules[0].value"],
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
    { match: "all", rules: [{ field: "attribute.k", op: "not_within_days", value: -7 }] },
    "rules[0].value",
  ],
  ...[1.5, "7", 36_501, 1e300].map((value): [unknown, string] => [
    { match: "all", rules: [{ field: "lastSeenAt", op: "within_days", value }] },
    "rules[0].value",
  ]),
  ...["eq", "in", "gt"].map((op): [unknown, string] => [
    parseJson(
      `{"match":"all","rules":[{"field":"attribute.k","op":"${op}","value":${op === "in" ? "[9007199254740993]" : "9007199254740993"}}]}`,
    ),
    op === "in" ? "rules[0].value[0]" : "rules[0].value",
  ]),
  ...["a\0", "\ud800", "x".repeat(201)].map((key): [unknown, string] => [
    { match: "all", rules: [{ field: `attribute.${key}`, op: "exists" }] },
    "rules[0].field",
  ]),
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
    await assert.rejects(
      createSegment(OPERATOR, t.app, workspaceId, { name: "x", definition }),
      (error) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, "VALIDATION_FAILED");
        assert.deepEqual(
          error.facts.details?.map((detail) => detail.path),
          [path],
        );
        return true;
      },
    );
  });
}

test("a refusal repeats the wrong name and says how to correct it", async () => {
  const messages = async (rule: object): Promise<string> => {
    const definition = { match: "all", rules: [rule] };
    const refused = await createSegment(OPERATOR, t.app, workspaceId, {
      name: t.app.ids.next(),
      definition,
    }).catch((error: unknown) => error);
    assert.ok(refused instanceof AppError);
    return refused.facts.details?.[0]?.message ?? "";
  };
  assert.match(
    await messages({ field: "tags", op: "eq", value: "x" }),
    /no field "tags"; must be name.*: did you mean tag\?/,
  );
  assert.match(
    await messages({ field: "tag", op: "is", value: "x" }),
    /no op "is"; must be one of eq/,
  );
  assert.match(
    await messages({ field: "tag", op: "eq", value: ["x"] }),
    /in and not_in take several/,
  );
  assert.match(
    await messages({ field: "createdAt", op: "within_days", value: -7 }),
    /days to come/,
  );
  assert.match(await messages({ field: "attribute.k", op: "gt", value: "18" }), /not in quotes/);
});

test("a definition a thousand groups deep is refused without following it", async () => {
  let definition: object = { match: "all", rules: [{ field: "name", op: "exists" }] };
  for (let n = 0; n < 1_000; n++) definition = { match: "all", rules: [definition] };
  await assert.rejects(
    createSegment(OPERATOR, t.app, workspaceId, { name: "x", definition }),
    AppError,
  );
});

test("a segment is listed as it was given, gets its count from the worker, and a fresh one later", async () => {
  const w = (await createWorkspace(OPERATOR, t.app, { name: "B" })).id;
  const definition = {
    rules: [{ value: "vip", op: "eq", field: "tag", label: "kept" }],
    match: "any",
  };
  const made = await createSegment(OPERATOR, t.app, w, { name: " VIPs ", definition });
  assert.equal(made.name, "VIPs");
  assert.equal(JSON.stringify(made.definition), JSON.stringify(definition));
  assert.deepEqual([made.cachedCount, made.cachedAt], [null, null]);
  assert.deepEqual(await listSegments(t.app, w), [made]);
  assert.equal(await findSegment(t.app.db, workspaceId, made.id), null);
  assert.equal(await findSegment(t.app.db, w, "nonsense"), null);

  const add = () =>
    t.app.db.transaction((tx) =>
      createContacts(t.app, tx, [
        { actor: OPERATOR, workspaceId: w, contact: { phone: "1", tags: ["VIP"] } },
      ]),
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
  const items = Array.from({ length: 3 }, () => ({
    actor: OPERATOR,
    workspaceId: w,
    contact: { phone: "1" },
  }));
  await t.app.db.transaction((tx) => createContacts(t.app, tx, items));
  await t.app.db.query(sql`
    update contact set opted_out_at = ${t.clock.now()}
    where workspace_id = ${w} and id = (select id from contact where workspace_id = ${w} limit 1)`);
  for (const match of ["all", "any"] as const) {
    assert.equal(await countSegment(t.app, w, { match, rules: [] }), 2);
  }
});

test("a workspace with slow counts delays no other, and keeps its old counts with their age", async () => {
  const [slow, quick] = await Promise.all(
    ["Slow", "Quick"].map((name) => createWorkspace(OPERATOR, t.app, { name })),
  );
  assert.ok(slow && quick);
  const definition = { match: "all", rules: [{ field: "tag", op: "contains", value: "vip" }] };
  const db: Db = {
    ...t.app.db,
    slowQuery: (statement, timeoutMs) =>
      statement.values.includes(slow.id)
        ? Promise.reject(new QueryTimeout("too long"))
        : t.app.db.slowQuery(statement, timeoutMs),
  };
  const worker = createRefreshSegmentsWorker({ ...t.app, background: unhindered(db) });
  // Segments left by other tests are counted first.
  while ((await worker.runOnce()) > 0);
  const create = async (owner: string) => {
    t.clock.advance(1);
    return createSegment(OPERATOR, t.app, owner, { name: t.app.ids.next(), definition });
  };
  const first = await create(slow.id);
  await create(slow.id);
  await create(slow.id);
  const mine = await create(quick.id);
  const dues = async () => {
    const rows = await t.app.db.query<{ minutes: number; version: string }>(sql`
      select round(extract(epoch from count_due_at - ${t.clock.now()}::timestamptz) / 60)::int as minutes,
        xmin::text as version
      from segment where workspace_id = ${slow.id} order by id`);
    const [own, ...rest] = rows;
    return { minutes: own?.minutes, rest };
  };
  const before = await dues();
  assert.equal(await worker.runOnce(), 1);
  assert.deepEqual(await dues(), { minutes: 60, rest: before.rest }, "the others are not written");
  assert.equal(await worker.runOnce(), 1);
  assert.equal((await findSegment(t.app.db, quick.id, mine.id))?.cachedCount, 0);
  assert.equal(await worker.runOnce(), 0);
  t.clock.advance(121_000);
  assert.equal(await worker.runOnce(), 1);
  assert.equal(await worker.runOnce(), 0, "one of its own, then a rest");
  assert.equal((await findSegment(t.app.db, slow.id, first.id))?.cachedCount, null);
});
