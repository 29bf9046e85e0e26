import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { Queryable } from "../db/database.ts";
import { Sql, sql } from "../db/sql.ts";
import { selectCustomers, selectLastNumber, selectPastMessages } from "./sandbox-store.ts";

/** Workers wait until the sandbox has read all this. After a campaign to 200,000 a start took minutes. */
test("what a sandbox channel reads at its start grows neither with its conversations nor with others' messages", async () => {
  await using t = await startTestApp();
  const { db, ids } = t.app;
  const [w, channel, other] = [ids.next(), ids.next(), ids.next()];
  const id = "lpad(to_hex(i), 32, '0')::uuid";
  const rows: Record<string, string> = {
    "contact (workspace_id, id, name, search, created_at, updated_at)": `${id}, 'A' || i, '', now(), now()`,
    "contact_identity (workspace_id, channel_id, external_id, contact_id, created_at)": `'${channel}', i, ${id}, now() + i * interval '1 s'`,
    "conversation (workspace_id, id, contact_id, channel_id, channel_type, external_id, last_message_at, created_at)": `${id}, ${id}, '${channel}', 'TELEGRAM', i, now() + i * interval '1 s', now()`,
    "message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, status, source, provider_message_id, created_at)": `${id}, ${id}, ${id}, '${channel}', 'inbound', 'text', 'received', 'channel', i || ':' || i, now()`,
  };
  for (const [into, values] of Object.entries(rows))
    await db.query(
      new Sql([`insert into ${into} select '${w}', ${values} from generate_series(1, 1000) i`], []),
    );
  await db.query(sql`
    insert into message (workspace_id, id, channel_id, direction, type, status, source, provider_message_id, created_at)
    select ${w}::uuid, gen_random_uuid(), ${other}::uuid, 'inbound', 'text', 'received', 'channel', 'x' || i, now()
    from generate_series(1, 1000) i`);
  await db.query(sql`analyze`);

  /** The number of pages that the statement of `ask` reads. */
  async function pagesOf(ask: (db: Queryable) => Promise<unknown>): Promise<number> {
    let asked: Sql | undefined;
    await ask({ query: (statement) => Promise.resolve(((asked = statement), [])) });
    assert.ok(asked);
    const [plan] = await db.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
      sql`explain (analyze, buffers, format json) ${asked}`,
    );
    return plan?.["QUERY PLAN"][0].Plan["Shared Hit Blocks"] ?? Number.POSITIVE_INFINITY;
  }

  assert.equal(await selectLastNumber(db, w, channel), 1_000);
  const past = await selectPastMessages(db, w, channel);
  assert.deepEqual([past.length, past[0]?.messageId], [200, "1000:1000"]);
  assert.equal((await selectCustomers(db, w, channel)).length, 1_000);
  for (const ask of [selectLastNumber, selectPastMessages]) {
    const pages = await pagesOf((to) => ask(to, w, channel));
    assert.ok(pages < 2_000, `${ask.name}: ${pages} pages`);
  }
});

test("a phone shows its messages under its number, also when the user id is known too", async () => {
  await using t = await startTestApp();
  const { db, ids } = t.app;
  const [w, id, channel] = [ids.next(), ids.next(), ids.next()];
  await db.query(sql`
    insert into contact_identity (workspace_id, channel_id, external_id, contact_id, is_number, created_at)
    values (${w}, ${channel}, 'US.77', ${id}, false, now()), (${w}, ${channel}, '96550000001', ${id}, true, now())`);
  await db.query(sql`
    insert into conversation (workspace_id, id, contact_id, channel_id, channel_type, external_id, last_message_at, created_at)
    values (${w}, ${id}, ${id}, ${channel}, 'WHATSAPP', '96550000001', now(), now())`);
  await db.query(sql`
    insert into message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, status, source, provider_message_id, created_at)
    values (${w}, ${id}, ${id}, ${id}, ${channel}, 'outbound', 'template', 'sent', 'broadcast', 'wamid.1', now())`);
  const past = await selectPastMessages(db, w, channel);
  assert.deepEqual(
    past.map((one) => one.customer),
    ["96550000001"],
  );
});
