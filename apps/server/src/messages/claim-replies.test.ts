import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { Sql, sql } from "../db/sql.ts";
import { HttpFailure } from "../lib/http.ts";
import { claimReplies } from "./outbox-store.ts";

/** Replies that wait for one number, in fifty conversations. */
const WAITING = 10_000;

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());
beforeEach(async () => {
  await m.t.app.db.query(sql`delete from message_outbox`);
  m.graph.sent.length = 0;
  m.graph.answer = () => m.graph.accepted();
});

/** A number for which a great many wait, each conversation's oldest until `oldest`; and one due reply of another. */
async function backlog(oldest: Date): Promise<{ channelId: string; other: string }> {
  const { db } = m.t.app;
  const { workspaceId, account } = await Desk.open(m);
  const now = m.t.clock.now();
  await db.query(sql`
    insert into message_outbox (workspace_id, message_id, conversation_id, channel_id, available_at)
    select ${workspaceId}, lpad(n::text, 32, '0')::uuid, lpad((n % 50)::text, 32, '0')::uuid, ${account.channelId},
      case when n <= 50 then ${oldest}::timestamptz else ${now}::timestamptz - interval '1 hour' end
    from generate_series(1, ${WAITING}) n`);
  await db.query(new Sql(["vacuum analyze message_outbox"], []));
  const desk = await Desk.open(m);
  const reply = await desk.replies(await desk.hears("96551000009"));
  return { channelId: account.channelId, other: reply.id };
}

/** Who is claimed, and how many pages of what waits that looked at. */
async function claim(busy: readonly string[] = []): Promise<{ ids: string[]; pages: number }> {
  const now = m.t.clock.now();
  const leaseUntil = new Date(now.getTime() + 30_000);
  return m.t.app.db.transaction(async (tx) => {
    const looked = async () => {
      const [row] = await tx.query<{ pages: number }>(sql`
        select sum(pg_stat_get_xact_blocks_fetched(r.oid))::float as pages
        from (select 'message_outbox'::regclass::oid union all
          select indexrelid from pg_index where indrelid = 'message_outbox'::regclass) r (oid)`);
      return row?.pages ?? 0;
    };
    const before = await looked();
    const replies = await claimReplies(tx, { now, leaseUntil, limit: 8, busy });
    return { ids: replies.map(({ id }) => id), pages: (await looked()) - before };
  });
}

test("what waits for a channel that is busy or was asked to wait is not read by a claim", async () => {
  const { channelId, other } = await backlog(m.t.clock.now());
  const busy = await claim([channelId]);
  assert.deepEqual(busy.ids, [other]);
  assert.ok(busy.pages <= 150, `${busy.pages} pages`);
  const until = new Date(m.t.clock.now().getTime() + 60_000);
  await m.t.app.db.query(
    sql`update channel set throttled_until = ${until} where id = ${channelId}`,
  );
  const throttled = await claim();
  assert.deepEqual(throttled.ids, []);
  assert.ok(throttled.pages <= 150, `${throttled.pages} pages`);
});

test("what waits behind an older one's next try is looked at once, and goes when that one may", async () => {
  const next = new Date(m.t.clock.now().getTime() + 90_000);
  const { other } = await backlog(next);
  const first = await claim();
  assert.deepEqual(first.ids, [other], "another number's reply is not held up");
  assert.deepEqual((await claim()).ids, []);
  const again = await claim();
  assert.deepEqual(again.ids, []);
  assert.ok(again.pages <= 1_000, `${again.pages} pages`);
  m.t.clock.set(next);
  await claim();
  const [row] = await m.t.app.db.query<{ oldest: number; others: number }>(sql`
    select count(*) filter (where message_id <= lpad('50', 32, '0')::uuid)::int as oldest,
      count(*) filter (where message_id > lpad('50', 32, '0')::uuid and message_id <> ${other})::int as others
    from message_outbox where state = 'claimed'`);
  assert.ok(row && row.oldest >= 8 && row.others === 0, JSON.stringify(row));
});

test("a reply behind one that was not taken goes right after it, in the order they were written", async () => {
  const desk = await Desk.open(m);
  const conversation = await desk.hears("96551000001");
  m.graph.answer = () => Promise.reject(new HttpFailure("connect", false, "refused"));
  await desk.replies(conversation, "first");
  await m.t.app.drain();
  await desk.replies(conversation, "second");
  await desk.replies(conversation, "third");
  m.graph.answer = () => m.graph.accepted();
  m.t.clock.advance(4_999);
  await m.t.app.drain();
  assert.equal(m.graph.sent.length, 1);
  m.t.clock.advance(1);
  await m.t.app.drain();
  assert.deepEqual(
    m.graph.sent.map((one) => one.text?.body),
    ["first", "first", "second", "third"],
  );
});
