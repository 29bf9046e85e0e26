import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import { bareWorkspace } from "../../../test/webhook-receiver.ts";
import type { Db } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { createEndpoint } from "../../webhooks/create-endpoint.ts";
import { disableEndpoint } from "../../webhooks/disable-endpoint.ts";
import { createMetrics } from "./metrics.ts";

interface Node {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly Plans?: readonly Node[];
}
const allOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(allOf)];

test("held deliveries are counted by endpoint, and the endpoint is asked for once", async () => {
  await using t = await startTestApp();
  const { db } = t.app;
  const workspaceId = await bareWorkspace(t);
  // Without the kind that its own switching off emits.
  const input = { url: "https://127.0.0.1/", events: ["message.received"] } as const;
  const { id } = await createEndpoint(OPERATOR, t.app, workspaceId, input);
  await disableEndpoint(OPERATOR, t.app, workspaceId, id);
  await db.query(sql`
    insert into delivery (workspace_id, endpoint_id, event_sequence, state, next_attempt_at, created_at)
    select ${workspaceId}, ${id}, n, 'pending', ${t.clock.now()}, ${t.clock.now()} from generate_series(1, 500) n`);
  let asked: Sql | undefined;
  const slowQuery: Db["slowQuery"] = (statement, ms) => db.slowQuery((asked = statement), ms);
  const text = await createMetrics({ ...t.app, db: { ...db, slowQuery } }).render();
  assert.match(text, /parley_queue_rows\{queue="deliveries",state="held"\} 500\n/);
  assert.ok(asked);
  const [plan] = await db.query<{ "QUERY PLAN": [{ Plan: Node }] }>(
    sql`explain (analyze, format json) ${asked}`,
  );
  assert.ok(plan);
  const joins = allOf(plan["QUERY PLAN"][0].Plan).filter((node) =>
    /Join|Nested/.test(node["Node Type"]),
  );
  assert.deepEqual(
    joins.map((node) => node["Actual Rows"]),
    [1],
  );
});
