import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import type { Context } from "../../context.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { createMetrics } from "../../http/health/metrics.ts";
import { sweepMessages } from "../send/sweep-messages.ts";

let t: TestApp;
before(async () => (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

/** Calls of a platform that cannot be read, as the hooks keep them: for ever. */
async function keepCalls(count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await t.app.db.query(sql`insert into inbound_failure (id, body, error, received_at)
      values (${t.app.ids.next()}, ${Buffer.from(`{"n":${n},"x":"${randomBytes(4_000).toString("base64")}`)}, 'SyntaxError', ${t.clock.now()})`);
}

test("a sweep does not read kept calls that cannot be parsed", async () => {
  await keepCalls(300);
  t.clock.advance(3_600_000);
  const asked: Sql[] = [];
  const query = <Row extends object>(statement: Sql) => {
    if (statement.text.includes("from inbound_failure")) asked.push(statement);
    return t.app.db.query<Row>(statement);
  };
  const context: Context = { ...t.app, db: { ...t.app.db, query } };
  await sweepMessages(context, "short");
  assert.equal(asked.length, 1);
  const [plan] = await t.app.db.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
    sql`explain (analyze, buffers, format json) ${asked[0] ?? sql``}`,
  );
  const { "Shared Hit Blocks": hit = 0, "Shared Read Blocks": read = 0 } =
    plan?.["QUERY PLAN"][0].Plan ?? {};
  assert.ok(hit + read < 10, `${hit + read} pages`);
});

test("events that could not be taken in are counted where operators look", async () => {
  assert.match(
    await createMetrics(t.app).render(),
    /parley_queue_rows\{queue="inbound",state="kept"\} 300/,
  );
});
