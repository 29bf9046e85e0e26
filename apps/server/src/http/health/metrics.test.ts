import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Cable } from "../../../test/cable.ts";
import { createTestDatabase, startTestApp, type TestApp } from "../../../test/harness.ts";
import { ownTime } from "../../../test/processor-time.ts";
import { bareWorkspace } from "../../../test/webhook-receiver.ts";
import type { Db } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { createEndpoint } from "../../webhooks/create-endpoint.ts";
import { disableEndpoint } from "../../webhooks/disable-endpoint.ts";
import { createMetrics } from "./metrics.ts";

interface Node {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly Node[];
}
const allOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(allOf)];

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t[Symbol.asyncDispose]());

/** The value of a line; null when the scrape has no such line. */
function valueOf(text: string, line: string): number | null {
  const found = text.split("\n").find((one) => one.startsWith(`${line} `));
  return found === undefined ? null : Number(found.slice(line.length));
}

/** An endpoint of a new workspace that acknowledges nothing yet. Its own switching off is no event that it gets. */
async function endpointOf(workspaceId: string): Promise<string> {
  const input = { url: "https://127.0.0.1/", events: ["message.received"] } as const;
  return (await createEndpoint(OPERATOR, t.app, workspaceId, input)).id;
}

const deliveries = (workspaceId: string, id: string, count: number, due: Date): Sql => sql`
  insert into delivery (workspace_id, endpoint_id, event_sequence, state, next_attempt_at, created_at)
  select ${workspaceId}, ${id}, n, 'pending', ${due}, ${due} from generate_series(1, ${count}::int) n`;

test("of more rows than 1,000 no more are read, whoever holds them", async () => {
  const { db } = t.app;
  const workspaceId = await bareWorkspace(t);
  const id = await endpointOf(workspaceId);
  await disableEndpoint(OPERATOR, t.app, workspaceId, id);
  await db.query(deliveries(workspaceId, id, 1_200, t.clock.now()));
  const asked: Sql[] = [];
  const slowQuery: Db["slowQuery"] = (statement, ...how) => {
    asked.push(statement);
    return db.slowQuery(statement, ...how);
  };
  const text = await createMetrics({ ...t.app, db: { ...db, slowQuery } }).render();
  assert.equal(valueOf(text, 'parley_queue_rows{queue="deliveries",state="held"}'), 1_000);
  assert.equal(valueOf(text, 'parley_queue_rows{queue="deliveries",state="pending"}'), 0);
  assert.equal(asked.length, 4);
  for (const statement of asked) {
    const [plan] = await db.slowQuery<{ "QUERY PLAN": [{ Plan: Node }] }>(
      sql`explain (analyze, format json) ${statement}`,
      5_000,
      "by index",
    );
    assert.ok(plan);
    for (const node of allOf(plan["QUERY PLAN"][0].Plan))
      assert.ok(
        node["Actual Rows"] * node["Actual Loops"] <= 1_000,
        `${node["Node Type"]} read ${node["Actual Rows"]} rows`,
      );
  }
});

/** Work of each queue that has been due since `at`. */
const WORK: Readonly<Record<string, (id: string, at: Date) => Sql>> = {
  messages: (id, at) => sql`
    insert into message_outbox (workspace_id, message_id, conversation_id, channel_id, available_at)
    values (${id}, ${id}, ${id}, ${id}, ${at})`,
  deliveries: (id, at) => sql`
    with made as (insert into endpoint (workspace_id, id, url, secret_sealed, created_at)
      values (${id}, ${id}, 'https://example.com', '', ${at}))
    insert into delivery (workspace_id, endpoint_id, event_sequence, state, next_attempt_at, created_at)
    values (${id}, ${id}, 1, 'pending', ${at}, ${at})`,
  broadcasts: (id, at) => sql`
    insert into broadcast (workspace_id, id, name, channel_type, kind, status, scheduled_at, rate_limit_per_minute, created_at)
    values (${id}, ${id}, 'A', 'WHATSAPP', 'TEXT', 'SCHEDULED', ${at}, 60, ${at})`,
  inbound: (id, at) => sql`
    insert into inbound_failure (id, body, error, retry_at, received_at) values (${id}, '', '', ${at}, ${at})`,
  media: (id, at) => sql`
    insert into media (workspace_id, id, direction, kind, available_at, created_at)
    values (${id}, ${id}, 'inbound', 'image', ${at}, ${at})`,
  bots: (id, at) => sql`
    insert into bot_due (workspace_id, conversation_id, since, due_at) values (${id}, ${id}, ${at}, ${at})`,
  knowledge: (id, at) => sql`
    insert into knowledge_source (workspace_id, id, kind, title, status, due_at, created_at, updated_at)
    values (${id}, ${id}, 'page', 'A', 'reading', ${at}, ${at}, ${at})`,
  imports: (id, at) => sql`
    insert into import_file (workspace_id, id, media_id, file_name, file_size, file_hash, format, encoding, state,
      available_at, author, created_at, updated_at)
    values (${id}, ${id}, ${id}, 'a.csv', 1, '', 'csv', 'utf-8', 'waiting', ${at}, 'system', ${at}, ${at})`,
  jobs: (id, at) => sql`
    insert into contact_job (workspace_id, id, action, state, cursor, until, actor, created_at, updated_at)
    values (${id}, ${id}, 'tag', 'running', ${id}, ${id}, 'system', ${at}, ${at})`,
  erasures: (id, at) => sql`
    insert into person_erasure (workspace_id, id, contact_id, ids, state, step, due_at, actor, created_at, updated_at)
    values (${id}, ${id}, ${id}, '{}', 'running', 'messages', ${at}, 'system', ${at}, ${at})`,
  mail: (id, at) => sql`
    insert into letter (id, sealed, author, due_at) values (${id}, '', 'system', ${at})`,
};

test("each queue has its age: 0 without due work, and how long the oldest has been due", async () => {
  const metrics = createMetrics(t.app);
  const lineOf = (queue: string) => `parley_queue_oldest_seconds{queue="${queue}"}`;
  const scrape = await metrics.render();
  const queues = scrape
    .split("\n")
    .flatMap((line) => /^parley_queue_oldest_seconds\{queue="(.*)"\}/.exec(line)?.[1] ?? []);
  assert.deepEqual(queues.toSorted(), Object.keys(WORK).toSorted());
  for (const queue of queues) assert.equal(valueOf(scrape, lineOf(queue)), 0, queue);
  const due = new Date(t.clock.now().getTime() - 900_000);
  for (const queue of queues) {
    await t.app.db.transaction(async (tx) => {
      // The rows that these refer to say nothing about an age.
      await tx.script("set local session_replication_role = replica");
      await tx.query(WORK[queue]?.(t.app.ids.next(), due) ?? sql`select 1`);
    });
    assert.equal(valueOf(await metrics.render(), lineOf(queue)), 900, queue);
  }
});

test("a reply behind one of its conversation is not due, and behind one of unknown outcome it is", async () => {
  const metrics = createMetrics(t.app);
  const line = 'parley_queue_oldest_seconds{queue="messages"}';
  await t.app.db.query(sql`delete from message_outbox`);
  const [workspaceId, conversationId] = [t.app.ids.next(), t.app.ids.next()];
  const add = (state: string, ago: number) =>
    t.app.db.transaction(async (tx) => {
      // The rows that these refer to say nothing about an age.
      await tx.script("set local session_replication_role = replica");
      await tx.query(sql`
        insert into message_outbox (workspace_id, message_id, conversation_id, channel_id, state, available_at)
        values (${workspaceId}, ${t.app.ids.next()}, ${conversationId}, ${workspaceId}, ${state},
          ${new Date(t.clock.now().getTime() - ago)})`);
    });
  await add("calling", 900_000);
  await add("waiting", 600_000);
  assert.equal(valueOf(await metrics.render(), line), 0);
  await t.app.db.query(sql`update message_outbox set state = 'unknown' where state = 'calling'`);
  assert.equal(valueOf(await metrics.render(), line), 600);
  await t.app.db.query(sql`delete from message_outbox`);
});

test("a delivery that waits for a receiver that fails is not old work of ours", async () => {
  const metrics = createMetrics(t.app);
  const workspaceId = await bareWorkspace(t);
  const id = await endpointOf(workspaceId);
  const since = new Date(t.clock.now().getTime() - 7_200_000);
  await t.app.db.query(deliveries(workspaceId, id, 1, since));
  const line = 'parley_queue_oldest_seconds{queue="deliveries"}';
  assert.equal(valueOf(await metrics.render(), line), 7_200);
  await t.app.db.query(sql`update endpoint set consecutive_failures = 1 where id = ${id}`);
  assert.notEqual(valueOf(await metrics.render(), line), 7_200);
});

test("a part that fails leaves the others; without a database there is all that the process knows", async () => {
  const { db } = t.app;
  const slowQuery: Db["slowQuery"] = async (statement, ...how) => {
    if (statement.text.includes("message_outbox")) throw new Error("no such plan");
    return db.slowQuery(statement, ...how);
  };
  const some = await createMetrics({ ...t.app, db: { ...db, slowQuery } }).render();
  assert.equal(valueOf(some, 'parley_queue_oldest_seconds{queue="messages"}'), null);
  assert.equal(valueOf(some, 'parley_processes{role="api"}'), 0);
  assert.equal(valueOf(some, "parley_database_up"), 1);

  const database = await createTestDatabase();
  await using cable = await Cable.lay(database.url);
  await using silent = await startTestApp({ config: { databaseUrl: cable.url } });
  const metrics = createMetrics(silent.app);
  assert.equal(valueOf(await metrics.render(), "parley_database_up"), 1);
  cable.fallSilent();
  using time = ownTime();
  const without = await metrics.render();
  assert.ok(time.ms < 5_000, `a scrape waits a second for the database, not ${time.ms} ms`);
  assert.equal(valueOf(without, "parley_database_up"), 0);
  assert.equal(valueOf(without, 'parley_queue_oldest_seconds{queue="messages"}'), null);
  assert.equal(valueOf(without, 'parley_pool_size{pool="front"}'), 6);
  assert.ok((valueOf(without, "parley_disk_free_bytes") ?? 0) > 0);
  cable.speak();
  await database.drop().catch(() => {});
});

test("no family names a workspace, and every counted one has its lines before anything was counted", async () => {
  const text = await createMetrics(t.app).render();
  assert.doesNotMatch(text, /workspace/i);
  for (const line of [
    'parley_sends_total{channel="TELEGRAM",outcome="unknown"}',
    'parley_webhook_attempts_total{failure="timeout"}',
    'parley_inbound_calls_total{platform="SMS",result="unsigned"}',
    'parley_transaction_retries_total{sqlstate="40001"}',
    'parley_rate_limit_refusals_total{limit="key"}',
    'parley_leases_lost_total{kind="session"}',
    'parley_statement_duration_seconds_count{lane="commit"}',
    "parley_group_commit_batch_size_count",
    'parley_open_streams{kind="events"}',
  ])
    assert.notEqual(valueOf(text, line), null, line);
});
