import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Shop, startGroundOn, type Ground } from "../../src/broadcasts/record/campaign.fixture.ts";
import { sendBatch } from "../../src/broadcasts/send/send-batch.ts";
import { variantOf } from "../../src/broadcasts/audience/split-draw.fixture.ts";
import { storeChunk } from "../../src/broadcasts/audience/store-chunk.fixture.ts";
import { sql } from "../../src/db/sql.ts";
import { receiveEvents } from "../../src/messages/receive/receive-events.ts";
import { LONG } from "../group.ts";
import { equip, KINDS, Platforms, type ProviderCall } from "./campaign-kinds.ts";
import { mortal } from "./mortal.ts";

const RECIPIENTS = 3;
const MINUTE = 60_000;

/** What the worker is at when it dies. */
const WORKS = ["audience", "first try", "second try"] as const;

let ground: Ground<Platforms>;
before(async () => {
  ground = await startGroundOn(new Platforms());
});
after(() => ground[Symbol.asyncDispose]());

/** In the short suite each kind dies at every fourth of its steps, and begins at another one. */
const STRIDE = LONG ? 1 : KINDS.length;
let kills = 0;

for (const [index, kind] of KINDS.entries()) {
  test(`a ${kind} campaign's worker dies at ${LONG ? "each" : "a quarter"} of its steps: nobody is called twice, everybody is accounted for`, async (t) => {
    const shop = await Shop.open(ground);
    const people = await shop.crowd(RECIPIENTS);
    const made = await equip(shop, kind, people);
    const { app, clock } = ground.t;
    const { calls } = ground.graph;
    calls.length = 0;
    const campaigns = new Map<string, { id: string; at: string }>();
    const places: Record<string, number> = {};
    for (const work of WORKS) {
      let alive = false;
      for (let steps = index % STRIDE; !alive; steps += STRIDE) {
        assert.ok(steps < 100, "it dies for ever");
        const mark = `no${campaigns.size}`;
        const { id } = await shop.draft(made(mark));
        campaigns.set(mark, { id, at: `${kind}, ${work}, after ${steps} steps` });
        await shop.start(id);
        const key = shop.key(id);
        const { worker, died } = mortal(app, steps, true);
        if (work !== "audience") {
          while ((await shop.find(id)).status === "QUEUED") await storeChunk(app, key);
          if (work === "second try") await notReached(shop, id);
        }
        const done = work === "audience" ? storeChunk(worker, key, 2) : sendBatch(worker, key);
        alive = (await Promise.race([done, died])) !== "died";
        if (!alive) places[work] = (places[work] ?? 0) + 1;
        assert.deepEqual(await crooked(shop), [], `${work} after ${steps} steps`);
      }
    }
    // The platform tells of the first of each campaign that it has; of the others it is silent for ever.
    const told = new Set<string>();
    for (const call of calls) {
      if (call.correlation === null || told.has(call.mark)) continue;
      told.add(call.mark);
      const status = {
        externalMessageId: `wamid.of.${call.mark}`,
        correlationId: call.correlation,
      };
      await receiveEvents(app, [shop.desk.status(status)]);
    }
    // Others work on, and a quarter of an hour passes.
    for (let turn = 0; turn < 4; turn++) {
      await app.drain();
      assert.deepEqual(await crooked(shop), []);
      clock.advance(6 * MINUTE);
    }
    await app.drain();

    const byCampaign = Map.groupBy(calls, (call) => call.mark);
    const ends: Record<string, number> = {};
    for (const [mark, { id, at }] of campaigns) {
      const found = await shop.checkCounts(id);
      assert.equal(found.status, "COMPLETED", `${at}: ${found.statusReason}`);
      assert.equal(found.totalCount, RECIPIENTS, at);
      assert.equal(found.sentCount + found.failedCount, RECIPIENTS, at);
      const own = byCampaign.get(mark) ?? [];
      assert.equal(
        new Set(own.map((call) => call.address)).size,
        own.length,
        `${at}: ${JSON.stringify(own)}`,
      );
      if (kind === "SPLIT") for (const call of own) checkText(found, call);
      // A recipient without a call is unknown by name; one with a report is never given up.
      const outcomes = await shop.outcomes(id);
      const unknown = outcomes.filter((word) => word === "failed OUTCOME_UNKNOWN").length;
      assert.equal(unknown, found.failedCount, at);
      assert.ok(RECIPIENTS - own.length <= unknown, at);
      if (told.has(mark)) assert.ok(outcomes.includes("delivered"), at);
      const end = `${own.length} called, ${unknown} unknown`;
      ends[end] = (ends[end] ?? 0) + 1;
    }
    assert.deepEqual(await unaccounted(shop), []);
    t.diagnostic(`places to die: ${JSON.stringify(places)}; ends: ${JSON.stringify(ends)}`);
    assert.equal(Object.keys(places).length, WORKS.length);
    assert.ok(Object.keys(ends).length > 1, "no death was felt");
    for (const count of Object.values(places)) kills += count;
  });
}

test(`the worker was killed at ${200 / STRIDE} places or more`, (t) => {
  t.diagnostic(`${kills} kills`);
  assert.ok(kills >= 200 / STRIDE, `${kills} kills`);
});

/** A first try that reached nobody: everyone waits for another with the message that is there. */
async function notReached(shop: Shop, id: string): Promise<void> {
  ground.graph.down = true;
  await sendBatch(shop.app, shop.key(id));
  ground.graph.down = false;
  assert.deepEqual(new Set(await shop.outcomes(id)), new Set(["pending"]));
  ground.t.clock.advance(6_000);
}

/** Campaigns of the shop whose counts do not add up, or are not what a recount gives. */
function crooked(shop: Shop): Promise<object[]> {
  return shop.app.db.query(sql`
    select b.id, b.total_count, n.* from broadcast b
    cross join lateral (select count(*) as total,
        count(*) filter (where status in ('pending', 'sending')) as open,
        count(*) filter (where status in ('sent', 'delivered', 'read')) as sent,
        count(*) filter (where status = 'failed') as failed, count(*) filter (where status = 'skipped') as skipped
      from broadcast_recipient r where r.workspace_id = b.workspace_id and r.broadcast_id = b.id) n
    where b.workspace_id = ${shop.id} and ((n.total, n.sent, n.failed, n.skipped)
      is distinct from (b.total_count, b.sent_count, b.failed_count, b.skipped_count)
      or n.total <> n.open + n.sent + n.failed + n.skipped)`);
}

/**
 * What does not belong together when all is over: a recipient that was handed over has one message, in its conversation
 * where the channel has some, with one `message.created`; and the meter and the slots count each once.
 */
function unaccounted(shop: Shop): Promise<object[]> {
  return shop.app.db.query(sql`
    with handed as (
      select r.message_id as id, b.channel_id from broadcast b
      join broadcast_recipient r on r.workspace_id = b.workspace_id and r.broadcast_id = b.id
      where b.workspace_id = ${shop.id} and r.message_id is not null
    ), created as (
      select body::json -> 'data' ->> 'messageId' as id from event
      where workspace_id = ${shop.id} and type = 'message.created'
    )
    select 'recipient' as what, h.id::text from handed h
    left join message m on m.workspace_id = ${shop.id} and m.id = h.id and m.status in ('sent', 'delivered', 'failed')
    left join conversation c on c.workspace_id = ${shop.id} and c.id = m.conversation_id
    where m.id is null or (h.channel_id is not null) <> (c.id is not null)
      or (select count(*) from created where created.id = h.id::text) <> 1
    union all
    select 'message', m.id::text from message m
    where m.workspace_id = ${shop.id} and m.id not in (select id from handed)
    union all
    select 'meter', json_build_array(u.counted, m.used, n.stored)::text
    from (select sum(sent + failed) as counted from usage_day where workspace_id = ${shop.id}) u,
      (select sum(used) as used from usage_month where workspace_id = ${shop.id}) m,
      (select count(*) as stored from message where workspace_id = ${shop.id}) n
    where (u.counted, m.used) is distinct from (n.stored, n.stored)`);
}

/** Each got the text of the variant that its address draws. */
function checkText(broadcast: Parameters<typeof variantOf>[0], call: ProviderCall): void {
  const variant = broadcast.variants[variantOf(broadcast, call.address) ?? -1];
  assert.equal(call.text, variant?.body);
}
