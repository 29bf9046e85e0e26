import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { sql } from "../db/sql.ts";

test("no index of a conversation contains what each message changes, so the update stays within its page", async () => {
  await using t = await startTestApp();
  const columns = await t.app.db.query<{ name: string }>(sql`
    select distinct a.attname as name from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indrelid = 'conversation'::regclass`);
  const indexed = new Set(columns.map((one) => one.name));
  assert.ok(indexed.has("status"), "the catalogue was read");
  for (const touched of [
    "last_message_at",
    "unread_count",
    "window_expires_at",
    "external_id",
    "chat_sequence",
  ])
    assert.ok(!indexed.has(touched), touched);
});
