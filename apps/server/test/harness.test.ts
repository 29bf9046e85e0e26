import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../src/db/sql.ts";
import { startTestApp } from "./harness.ts";

test("a test file has a migrated database of its own", async () => {
  await using t = await startTestApp();
  const id = t.app.ids.next();
  await t.app.db.query(
    sql`insert into workspace (id, name, plan, created_at) values (${id}, 'A', 'free', ${t.clock.now()})`,
  );
  await t.app.db
    .query(sql`insert into contact (workspace_id, id, name, email, search, created_at, updated_at, attributes,
      attribute_terms)
    values (${id}, ${t.app.ids.next()}, 'Sara', 'a@b.co', 'sara', ${t.clock.now()}, ${t.clock.now()},
      ${JSON.stringify({ a: [1, null] })}, '')`);
  const rows = await t.app.db.query<{ document: string }>(
    sql`select document from contact where workspace_id = ${id}`,
  );
  const contact = JSON.parse(rows[0]?.document ?? "") as { createdAt: string; attributes: unknown };
  assert.equal(contact.createdAt, t.clock.now().toISOString());
  assert.deepEqual(contact.attributes, { a: [1, null] });
});
