import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { createContacts } from "../contacts/record/create-contact.ts";
import { defineAttribute } from "../contacts/attributes/define-attribute.ts";
import { QueryTimeout } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { refreshStaleSegment } from "./count-segment.ts";
import { createSegment } from "./create-segment.ts";
import { deleteSegment } from "./delete-segment.ts";
import { findSegment } from "./find-segment.ts";
import { previewSegment } from "./preview-segment.ts";
import { claimDue, storeCount } from "./segment-store.ts";
import { updateSegment } from "./update-segment.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const tagged = (value: string) => ({ match: "all", rules: [{ field: "tag", op: "eq", value }] });
async function shop(people: number): Promise<string> {
  const { id: w } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const items = Array.from({ length: people }, (_, n) => ({
    actor: OPERATOR,
    workspaceId: w,
    contact: { name: `N${n}`, phone: String(n + 1), tags: n % 4 === 0 ? ["vip"] : ["new"] },
  }));
  await t.app.db.transaction((tx) => createContacts(t.app, tx, items));
  return w;
}
const count = async (w: string, id: string) => {
  while (await refreshStaleSegment(t.app));
  const found = await findSegment(t.app.db, w, id);
  return [found?.cachedCount, found?.cachedAt];
};

test("another definition is counted anew; another name keeps the count and its time", async () => {
  const w = await shop(40);
  const made = await createSegment(OPERATOR, t.app, w, { name: "A", definition: tagged("vip") });
  const first = await count(w, made.id);
  assert.deepEqual(first, [10, t.clock.now().toISOString()]);
  t.clock.advance(60_000);
  const renamed = await updateSegment(OPERATOR, t.app, w, made.id, { name: " B " });
  assert.deepEqual([renamed.name, renamed.cachedCount, renamed.cachedAt], ["B", ...first]);
  const changed = await updateSegment(OPERATOR, t.app, w, made.id, { definition: tagged("new") });
  assert.deepEqual([changed.name, changed.cachedCount, changed.cachedAt], ["B", null, null]);
  assert.deepEqual(await count(w, made.id), [30, t.clock.now().toISOString()]);
  for (const patch of [{ name: " " }, { definition: { match: "all" } }])
    await assert.rejects(updateSegment(OPERATOR, t.app, w, made.id, patch), {
      code: "VALIDATION_FAILED",
    });
  const other = await shop(1);
  await assert.rejects(updateSegment(OPERATOR, t.app, other, made.id, { name: "x" }), {
    code: "NOT_FOUND",
  });
});

test("a late count of the former definition is dropped", async () => {
  const w = await shop(4);
  const made = await createSegment(OPERATOR, t.app, w, { name: "A", definition: tagged("vip") });
  const now = t.clock.now();
  const [claimed] = await claimDue(t.app.db, now, new Date(now.getTime() + 1_000));
  assert.equal(claimed?.id, made.id);
  await updateSegment(OPERATOR, t.app, w, made.id, { definition: tagged("new") });
  if (claimed) await storeCount(t.app.db, claimed, 1, now);
  assert.deepEqual(await count(w, made.id), [3, now.toISOString()]);
});

test("a segment that a campaign waits for is not deleted; the campaign is named", async () => {
  const w = await shop(1);
  const made = await createSegment(OPERATOR, t.app, w, { name: "A", definition: tagged("vip") });
  const campaign = t.app.ids.next();
  await t.app.db.query(sql`
    insert into broadcast (workspace_id, id, name, channel_type, kind, status, segment_id, rate_limit_per_minute, created_at)
    values (${w}, ${campaign}, 'Eid offer', 'WHATSAPP', 'SMS', 'SCHEDULED', ${made.id}, 600, ${t.clock.now()})`);
  const status = (to: string) =>
    t.app.db.query(sql`update broadcast set status = ${to} where id = ${campaign}`);
  for (const waiting of ["SCHEDULED", "QUEUED", "RUNNING", "PAUSED"]) {
    await status(waiting);
    await assert.rejects(deleteSegment(OPERATOR, t.app, w, made.id), (error) => {
      assert.ok(error instanceof AppError && error.code === "NOT_ALLOWED_IN_STATE");
      assert.match(error.message, /"Eid offer"/);
      return true;
    });
  }
  await status("COMPLETED");
  await deleteSegment(OPERATOR, t.app, w, made.id);
  assert.equal(await findSegment(t.app.db, w, made.id), null);
  await assert.rejects(deleteSegment(OPERATOR, t.app, w, made.id), { code: "NOT_FOUND" });
});

test("a preview is exact when there is time, and a lower bound otherwise", async () => {
  const w = await shop(100);
  assert.deepEqual(await previewSegment(t.app, w, tagged("vip")), { count: 25, exact: true });
  // Counting everything takes too long: page by page it gets to the end, or as far as the time allows.
  const slow = (timeouts: ReadonlySet<number>) => {
    let call = 0;
    const slowQuery: TestApp["app"]["db"]["slowQuery"] = async (statement, ms) => {
      if (timeouts.has(++call)) throw new QueryTimeout();
      return t.app.db.slowQuery(statement, ms);
    };
    return { ...t.app, db: { ...t.app.db, slowQuery } };
  };
  const limits = { roughMs: 60_000, window: 10 };
  const preview = (timeouts: number[]) =>
    previewSegment(slow(new Set(timeouts)), w, tagged("vip"), limits);
  assert.deepEqual(await preview([1]), { count: 25, exact: true });
  assert.deepEqual(await preview([1, 6]), { count: 10, exact: false });
  const none = await previewSegment(t.app, w, tagged("vip"), { exactMs: 0, roughMs: 0 });
  assert.deepEqual(none, { count: 0, exact: false });
  await assert.rejects(previewSegment(t.app, w, { match: "all" }), { code: "VALIDATION_FAILED" });
});

test("rules of defined attributes must fit their type, refused with their path", async () => {
  const w = await shop(1);
  const define = (key: string, type: string, choices?: string[]) =>
    defineAttribute(OPERATOR, t.app, w, { key, type, choices });
  await define("age", "number");
  await define("joined", "date");
  await define("vip", "boolean");
  await define("size", "choice", ["S", "L"]);
  await define("shoe", "choice", ["41", "42"]);
  const save = (field: string, op: string, value?: unknown) =>
    createSegment(OPERATOR, t.app, w, {
      name: t.app.ids.next(),
      definition: {
        match: "all",
        rules: [
          { field: "name", op: "exists" },
          { match: "any", rules: [{ field: `attribute.${field}`, op, value }] },
        ],
      },
    });
  const wrong: readonly (readonly [string, string, unknown, string])[] = [
    ["age", "eq", "5", "value"],
    ["age", "contains", "5", "op"],
    ["age", "in", [1, "2"], "value[1]"],
    ["age", "gt", "2026-01-01", "value"],
    ["joined", "gt", 5, "value"],
    ["joined", "eq", "2026-01-01", "op"],
    ["vip", "eq", "true", "value"],
    ["size", "eq", "M", "value"],
    ["shoe", "in", [42, 43], "value[1]"],
  ];
  for (const [field, op, value, place] of wrong)
    await assert.rejects(save(field, op, value), (error) => {
      assert.ok(error instanceof AppError);
      assert.equal(error.facts.details?.[0]?.path, `rules[1].rules[0].${place}`, `${field} ${op}`);
      return true;
    });
  for (const [field, op, value] of [
    ["age", "gte", 18],
    ["age", "exists", undefined],
    ["joined", "gt", "2026-01-01"],
    ["joined", "within_days", 30],
    ["vip", "neq", true],
    ["size", "in", ["s", "L"]],
    ["shoe", "in", [41, "42"]],
    ["free", "eq", 5],
  ] as const)
    await save(field, op, value);
});
