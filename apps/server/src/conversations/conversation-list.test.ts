import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { OPERATOR } from "../actor.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { sql } from "../db/sql.ts";
import {
  listedConversations,
  type ListedFilter,
  type ListedOrder,
} from "./conversation-list-store.ts";

const MANY = 20_000;
/** What a page may read: its rows by key, and not the workspace's. */
const MOST_ROWS = 2_000;

let t: TestApp;
let workspaceId: string;
const id = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
const [CHANNEL, MEMBER, IDLE] = [id(0xc1), id(0xa1), id(0xa2)];

/** A workspace of 20,000 conversations (the plans of 100,000 are the same): one in 200 has the label, one in 500 is unread, 66 customers wait, 10 have the assignee, 10 are snoozed. */
before(async () => {
  t = await startTestApp();
  workspaceId = (await createWorkspace(OPERATOR, t.app, { name: "Shop", plan: "business" })).id;
  const { db } = t.app;
  const thread = sql`lpad(to_hex(i), 32, '0')::uuid`;
  const assignee = sql`case when i % 2000 = 0 then ${MEMBER}::uuid when i % 2 = 0 then ${IDLE}::uuid end`;
  const labels = sql`case when i % 200 = 0 then '{vip}'::text[] else '{}' end`;
  const status = sql`case when i % 2000 = 1 then 'snoozed' when i % 3 = 0 then 'open' else 'resolved' end`;
  const series = sql`generate_series(1, ${MANY}::int) i`;
  await db.query(sql`insert into channel (workspace_id, id, type, name, status, external_id, secrets_sealed, created_at)
    values (${workspaceId}, ${CHANNEL}, 'WEB', 'Site', 'connected', 'site', '', now())`);
  await db.query(sql`
    insert into conversation (workspace_id, id, contact_id, channel_id, channel_type, external_id, status, assignee_id,
      labels, unread_count, created_at)
    select ${workspaceId}::uuid, ${thread}, ${thread}, ${CHANNEL}::uuid, 'WEB', i::text, ${status}, ${assignee}, ${labels},
      case when i % 500 = 0 then 2 else 0 end, now() from ${series}`);
  await db.query(sql`
    insert into desk_conversation (workspace_id, conversation_id, channel_id, status, assignee_id, labels, desk_at, change,
      changed_at, unread, waiting_since)
    select ${workspaceId}::uuid, ${thread}, ${CHANNEL}::uuid, ${status}, ${assignee}, ${labels}, now(), i,
      '2026-01-01'::timestamptz + i * interval '1 second', i % 500 = 0,
      case when i % 100 = 0 then now() end from ${series}`);
  await db.query(sql`
    insert into desk_label (workspace_id, label, status, desk_at, conversation_id)
    select ${workspaceId}::uuid, 'vip', 'open', now(), ${thread} from ${series} where i % 200 = 0
    union all select ${workspaceId}::uuid, 'site', 'open', now(), ${thread} from ${series} where i % 4 = 0`);
  for (const table of [sql`conversation`, sql`desk_conversation`, sql`desk_label`])
    await db.query(sql`analyze ${table}`);
});
after(() => t[Symbol.asyncDispose]());

interface Plan {
  readonly "Index Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const CASES: readonly [ListedFilter, ListedOrder, index: string][] = [
  [{ assigneeId: MEMBER }, "newest", "conversation_by_assignee"],
  [{ assigneeId: null }, "newest", "conversation_by_assignee"],
  [{ label: "vip" }, "newest", "desk_label_list"],
  [{ unread: true }, "newest", "desk_unread"],
  [{ unread: true, status: "open" }, "newest", "desk_unread"],
  [{ unanswered: true }, "newest", "desk_waiting"],
  [{ unanswered: true, assigneeId: null }, "newest", "desk_waiting"],
  [{ unanswered: true, unread: true }, "recent", "desk_waiting"],
  [{ unanswered: true, channelId: CHANNEL }, "changes", "desk_waiting"],
  [{ unanswered: false }, "newest", "conversation_pkey"],
  [{}, "recent", "desk_by_time"],
  [{}, "changes", "desk_by_time"],
  [{ updatedAfter: new Date("2026-01-01T05:00:00Z") }, "changes", "desk_by_time"],
  [{ updatedAfter: new Date("2026-01-01T05:00:00Z"), status: "open" }, "recent", "desk_by_time"],
  [{ assigneeId: MEMBER }, "changes", "desk_by_assignee"],
  [{ label: "vip" }, "recent", "desk_label_list"],
  [{ unread: true }, "changes", "desk_unread"],
  [{ status: "snoozed" }, "recent", "desk_by_status"],
  [{ contactId: id(7) }, "recent", "conversation_workspace_id_channel_id_contact_id_key"],
];

test(`among ${MANY} conversations each filter and each order reads its index, and a page of rows`, async () => {
  for (const [filter, order, index] of CASES) {
    const name = `${JSON.stringify(filter)} ${order}`;
    const statement = listedConversations(workspaceId, filter, order, null, 51);
    const [row] = await t.app.db.query<{ "QUERY PLAN": readonly { readonly Plan: Plan }[] }>(
      sql`explain (analyze, format json) ${statement}`,
    );
    const [plan] = row?.["QUERY PLAN"] ?? [];
    assert.ok(plan);
    const nodes = nodesOf(plan.Plan);
    const indexes = nodes.flatMap((one) => one["Index Name"] ?? []);
    assert.ok(indexes.includes(index), `${name} reads ${indexes.join(", ")}`);
    const read = Math.max(
      ...nodes.map(
        (one) =>
          ((one["Actual Rows"] ?? 0) + (one["Rows Removed by Filter"] ?? 0)) *
          (one["Actual Loops"] ?? 1),
      ),
    );
    assert.ok(read <= MOST_ROWS, `${name} read ${read} rows`);
  }
});
