import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { OPERATOR } from "../../actor.ts";
import type { Db } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { CONTACT_ORDERS, type ContactOrder } from "../../wire/words.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { firstContacts } from "./filtered-page-store.ts";

const CONTACTS = 60_000;
/** A page of fifty and one more. */
const NEED = 51;

let t: TestApp;
let workspaceId: string;
before(async () => {
  t = await startTestApp();
  workspaceId = (await createWorkspace(OPERATOR, t.app, { name: "W", plan: "business" })).id;
  await t.app.db.query(sql`
    insert into contact (workspace_id, id, name, tags, search, created_at, updated_at)
    select ${workspaceId}, lpad(to_hex(i), 32, '0')::uuid, case when i % 11 > 0 then 'N' || i end, array_remove(array[
        case when i % 10 = 0 then 'many' end, case when i % 500 = 0 then 'some' end,
        case when i in (1, 2, 59000) then 'few' end], null),
      'n' || i, now(), now()
    from generate_series(1, ${CONTACTS}::int) i`);
  await t.app.db.query(sql`
    insert into contact_total (workspace_id, total) values (${workspaceId}, ${CONTACTS})`);
  await t.app.db.query(sql`analyze contact`);
});
after(() => t[Symbol.asyncDispose]());

/** The numbers of the contacts that are found, how many there are, and how many statements that took. */
async function found(tag: string, order: "newest" | "name") {
  let statements = 0;
  const db: Db = {
    ...t.app.db,
    slowQuery: (...asked) => {
      statements++;
      return t.app.db.slowQuery(...asked);
    },
  };
  const where = sql`c.tags @> array[${tag}]::text[]`;
  const { ids, total } = await firstContacts(db, workspaceId, where, order, NEED);
  const numbers = ids.map((id) => Number.parseInt(id.replaceAll("-", ""), 16));
  return { numbers, total, statements };
}
const downBy = (step: number, count: number) =>
  Array.from({ length: count }, (_, n) => CONTACTS - n * step);

test("a page that the newest contacts hold takes one statement, and what it does not say is the total", async () => {
  const page = { numbers: downBy(10, NEED), total: null, statements: 1 };
  assert.deepEqual(await found("many", "newest"), page);
});

test("a page of which the newest hold a part is looked for further down, as far as their share says", async () => {
  const page = { numbers: downBy(500, NEED), total: null, statements: 2 };
  assert.deepEqual(await found("some", "newest"), page);
});

test("a filter that few fit is found as a whole, and its total with it", async () => {
  const few = { numbers: [59_000, 2, 1], total: 3, statements: 2 };
  assert.deepEqual(await found("few", "newest"), few);
  const none = { numbers: [], total: 0, statements: 2 };
  assert.deepEqual(await found("nobody", "newest"), none);
  const { numbers, ...byName } = await found("some", "name");
  assert.deepEqual(numbers.slice(0, 3), [1_000, 10_000, 10_500]);
  assert.deepEqual(byName, { total: 120, statements: 2 });
});

test("in every order, whatever fits, page and total are those of the plain statement", async () => {
  const { db } = t.app;
  const orders: Record<ContactOrder, Sql> = {
    newest: sql`id desc`,
    oldest: sql`id`,
    name: sql`folded(name) nulls last, case when name is null then id end desc, id`,
    "name-desc": sql`folded(name) desc nulls last, id desc`,
  };
  const conditions: [what: string, where: Sql][] = [
    ["all", sql`true`],
    ["a seventh, everywhere", sql`c.name like '%7%'`],
    ["names at the end of the order", sql`c.name like 'N9%'`],
    ["names at its beginning", sql`c.name like 'N1%'`],
    ["no name", sql`c.name is null`],
    ["few names and many without", sql`(c.name is null or c.name like '%999')`],
    ["the older half", sql`c.id < lpad(to_hex(30000), 32, '0')::uuid`],
  ];
  for (const [what, where] of conditions)
    for (const order of CONTACT_ORDERS) {
      const [plain] = await db.query<{ ids: string[]; total: number }>(sql`
        with fits as (select * from contact c where workspace_id = ${workspaceId} and ${where})
        select array(select id from fits order by ${orders[order]} limit 4_000) as ids,
          (select count(*) from fits) as total`);
      for (const need of [NEED, 4_000]) {
        const given = await firstContacts(db, workspaceId, where, order, need);
        const told = `${what}, ${order}, ${need}`;
        assert.deepEqual(given.ids, plain?.ids.slice(0, need), told);
        if (given.total !== null) assert.equal(given.total, plain?.total, told);
      }
    }
});
