import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { sql } from "../db/sql.ts";

test("before the first statistics a contact's conversation is looked up by its own key", async () => {
  await using t = await startTestApp();
  const [workspaceId, channelId, contactId] = [1, 2, 3].map(() => t.app.ids.next());
  await t.app.db.query(sql`
    insert into conversation (workspace_id, id, contact_id, channel_id, channel_type, external_id, created_at)
    select ${workspaceId}::uuid, gen_random_uuid(), gen_random_uuid(), ${channelId}::uuid, 'WHATSAPP', 'x', '2026-01-01'
    from generate_series(1, 20000)`);
  const [plan] = await t.app.db.query<{ "QUERY PLAN": unknown }>(sql`
    explain (format json) select id from conversation
    where workspace_id = ${workspaceId}::uuid and channel_id = ${channelId}::uuid and contact_id = ${contactId}::uuid`);
  assert.match(JSON.stringify(plan), /"conversation_workspace_id_channel_id_contact_id_key"/);
});
