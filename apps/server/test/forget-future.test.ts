import { OPERATOR } from "../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  callsByAddress,
  refusal,
  Shop,
  startGround,
  type Ground,
} from "../src/broadcasts/record/campaign.fixture.ts";
import { forgetFutureWaits } from "../src/broadcasts/send/forget-future-waits.ts";
import { claimHeader } from "../src/broadcasts/text/header-store.ts";
import { claimPolls } from "../src/channels/poll-leases.ts";
import { sql } from "../src/db/sql.ts";
import { receiveEvents } from "../src/messages/receive/receive-events.ts";
import { forgetFutureThrottles } from "../src/sending/forget-future-throttles.ts";
import { createEndpoint } from "../src/webhooks/create-endpoint.ts";
import { forgetFutureDeliveries } from "../src/webhooks/free-endpoints.ts";
import type { InboundMedia } from "../src/channels/adapter.ts";
import { findMessage } from "../src/messages/record/find-message.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());
beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

/** Within the customer's reply window. */
const AHEAD = 20 * 60 * 60_000;
const lost = () => ({ status: 500, headers: {}, body: Buffer.from("?") });

/** Less than a platform may ask to wait, or the schedule of webhooks does: a clock of another time zone. */
const HOUR = 60 * 60_000;

/** Does this with the clock most of a day ahead, and puts it right. */
async function ahead<T>(work: () => Promise<T>, ms = AHEAD): Promise<T> {
  ground.t.clock.advance(ms);
  const value = await work();
  ground.t.clock.advance(-ms);
  return value;
}

test("a reply that was accepted while the clock stood most of a day ahead goes when it is right again", async () => {
  const { desk } = await Shop.open(ground);
  const conversationId = await desk.hears("96551000001");
  const { id } = await ahead(() => desk.replies(conversationId));
  await ground.t.app.drain();
  assert.equal(ground.graph.sent.length, 1);
  assert.equal((await findMessage(ground.t.app, desk.workspaceId, id))?.errorCode, null);
  assert.deepEqual(await desk.outbox(), []);
});

test("a process whose own clock is behind frees nothing: what others hold now looks like the future to it", async () => {
  const { desk } = await Shop.open(ground);
  const conversationId = await desk.hears("96551000001");
  await desk.replies(conversationId);
  ground.t.clock.advance(-AHEAD);
  await ground.t.app.drain();
  assert.equal(ground.graph.sent.length, 0);
  ground.t.clock.advance(AHEAD);
  await ground.t.app.drain();
  assert.equal(ground.graph.sent.length, 1);
});

test("a reply whose answer was lost then is given up in 15 minutes, not in a day, and is not sent twice", async () => {
  const { desk } = await Shop.open(ground);
  const conversationId = await desk.hears("96551000001");
  ground.graph.answer = lost;
  const { id } = await ahead(async () => {
    const message = await desk.replies(conversationId);
    await ground.t.app.drain();
    return message;
  });
  const code = async () =>
    (await findMessage(ground.t.app, desk.workspaceId, id))?.errorCode ?? null;
  for (const [minutes, wanted] of [
    [0, null],
    [14, null],
    [2, "OUTCOME_UNKNOWN"],
  ] as const) {
    ground.t.clock.advance(minutes * 60_000);
    await ground.t.app.drain();
    assert.equal(await code(), wanted, `${minutes}`);
  }
  assert.equal(ground.graph.sent.length, 1);
});

test("a reply whose worker died then is put where it belongs; one that waits by right goes on waiting", async () => {
  const { desk } = await Shop.open(ground);
  const [a, b] = [await desk.hears("96551000001"), await desk.hears("96551000002")];
  const [leased, waits] = [await desk.replies(a), await desk.replies(b)];
  const now = ground.t.clock.now().getTime();
  await ground.t.app.db.query(sql`update message_outbox set state = 'claimed', fence = 1,
    lease_until = ${new Date(now + AHEAD)} where message_id = ${leased.id}`);
  await ground.t.app.db
    .query(sql`update message_outbox set attempts = 1, available_at = ${new Date(now + 3_600_000)}
    where message_id = ${waits.id}`);
  await ground.t.app.drain();
  ground.t.clock.advance(6 * 60_000);
  await ground.t.app.drain();
  assert.deepEqual([...callsByAddress(ground.graph.sent)], [["96551000001", 1]]);
});

test("a delivery that was written then is made when the clock is right again", async () => {
  const shop = await Shop.open(ground);
  await createEndpoint(OPERATOR, shop.app, shop.id, { url: "https://127.0.0.1:9/" });
  const [mine] = await shop.people([{ phone: "96551000009" }]);
  assert.ok(mine);
  await ahead(() => shop.desk.hears("96551000003"));
  await ground.t.app.drain();
  const rows = await shop.app.db.query<{ tried: boolean }>(sql`
    select attempts > 0 as tried from delivery where workspace_id = ${shop.id} order by event_sequence limit 1`);
  assert.deepEqual(rows, [{ tried: true }]);
});

test("what was written with the clock an hour ahead goes at once too: replies, deliveries, files", async () => {
  const shop = await Shop.open(ground);
  const { desk } = shop;
  const conversationId = await desk.hears("96551000001");
  await createEndpoint(OPERATOR, shop.app, shop.id, { url: "https://127.0.0.1:9/" });
  await ahead(async () => {
    await desk.replies(conversationId);
    await receiveEvents(ground.t.app, [picture(desk)]);
  }, HOUR);
  await ground.t.app.drain();
  assert.equal(ground.graph.sent.length, 1);
  const waiting = await shop.app.db.query(sql`
    select event_sequence from delivery where workspace_id = ${shop.id} and attempts = 0 and order_key is null`);
  assert.deepEqual(waiting, []);
  assert.deepEqual(await triedFiles(desk), [{ tried: true }]);
});

test("an endpoint that was being sent to with the clock an hour ahead is sent to again; what failed waits by right", async () => {
  const shop = await Shop.open(ground);
  const endpoint = await createEndpoint(OPERATOR, shop.app, shop.id, {
    url: "https://127.0.0.1:9/",
  });
  await shop.desk.hears("96551000001");
  const now = ground.t.clock.now();
  const inAnHour = new Date(now.getTime() + HOUR);
  // Its seventh retry is an hour after the sixth.
  await shop.app.db.query(sql`update delivery set next_attempt_at = ${inAnHour},
    round_failures = case when event_sequence % 2 = 0 then 7 else 1 end where workspace_id = ${shop.id}`);
  await shop.app.db.query(
    sql`update endpoint set busy_until = ${inAnHour} where id = ${endpoint.id}`,
  );
  await shop.app.db.transaction((tx) => forgetFutureDeliveries(tx, now));
  assert.deepEqual(
    await shop.app.db.query(sql`select distinct round_failures as failures, next_attempt_at as at
      from delivery where workspace_id = ${shop.id} order by 1`),
    [
      { failures: 1, at: now },
      { failures: 7, at: inAnHour },
    ],
  );
  assert.deepEqual(
    await shop.app.db.query(
      sql`select busy_until as until from endpoint where id = ${endpoint.id}`,
    ),
    [{ until: now }],
  );
});

test("of a campaign's calls that were lost then nobody knows after 15 minutes, and it completes", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(2);
  const { id } = await shop.draft();
  ground.graph.answer = lost;
  await ahead(async () => {
    await shop.start(id);
    await ground.t.app.drain();
  });
  assert.deepEqual(await shop.outcomes(id), ["sending", "sending"]);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["sending", "sending"]);
  ground.t.clock.advance(16 * 60_000);
  await ground.t.app.drain();
  const unknown = "failed OUTCOME_UNKNOWN";
  assert.deepEqual(await shop.outcomes(id), [unknown, unknown]);
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  const calls = callsByAddress(ground.graph.sent);
  assert.deepEqual(
    ["96550000000", "96550000001"].map((to) => calls.get(to)),
    [1, 1],
  );
});

test("a wait that a platform asked for then ends when the clock is right: of campaigns, their recipients and replies", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(4);
  const { id } = await shop.draft();
  const conversationId = await shop.desk.hears("96551000001");
  // The stub of the platform lists no templates.
  const later = new Date(ground.t.clock.now().getTime() + 2 * AHEAD);
  await shop.app.db.query(
    sql`update channel set sync_due_at = ${later} where workspace_id = ${shop.id}`,
  );
  ground.graph.answer = () => refusal(429, 130429);
  await ahead(async () => {
    await shop.start(id);
    await shop.desk.replies(conversationId);
    await ground.t.app.drain();
  });
  ground.graph.answer = () => ground.graph.accepted();
  const before = ground.graph.sent.length;
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), Array<string>(5).fill("sent"));
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  assert.equal(ground.graph.sent.length, before + 6);
  // Its timeline has nothing that is still to come.
  const late = await shop.app.db.query(sql`select 1 from broadcast_entry
    where workspace_id = ${shop.id} and created_at > ${ground.t.clock.now()}`);
  assert.deepEqual(late, []);
});

test("a wait of up to an hour stays: a platform may ask for that", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(2);
  const { id } = await shop.draft();
  ground.graph.answer = () => refusal(429, 130429);
  await shop.start(id);
  await ground.t.app.drain();
  const waits = () =>
    shop.app.db
      .query(sql`select b.throttled_until as campaign, b.halved_at as halved, c.throttled_until as channel
      from broadcast b join channel c on c.workspace_id = b.workspace_id and c.id = b.channel_id
      where b.workspace_id = ${shop.id}`);
  const found = await waits();
  assert.notEqual(found[0]?.["channel"], null);
  await shop.app.db.transaction((tx) => forgetFutureWaits(tx, ground.t.clock.now()));
  await shop.app.db.transaction((tx) => forgetFutureThrottles(tx, ground.t.clock.now()));
  assert.deepEqual(await waits(), found);
});

test("a file that a customer sent then is asked for when the clock is right again", async () => {
  const { desk } = await Shop.open(ground);
  await ahead(() => receiveEvents(ground.t.app, [picture(desk)]));
  await ground.t.app.drain();
  assert.deepEqual(await triedFiles(desk), [{ tried: true }]);
});

function picture(desk: Shop["desk"]) {
  const { account, event } = desk.message("96551000001", "");
  const image: InboundMedia = {
    attachment: 0,
    kind: "image",
    source: { id: "m1" },
    mimeType: "image/jpeg",
    fileName: null,
    size: null,
  };
  const attachments = [{ type: "image" }];
  return {
    account,
    event: { ...event, content: { type: "image", text: null, attachments, media: [image] } },
  };
}

const triedFiles = (desk: Shop["desk"]) =>
  ground.t.app.db.query<{ tried: boolean }>(sql`
    select attempts > 0 as tried from media where workspace_id = ${desk.workspaceId}`);

test("a bot that was being read then is read again when the clock is right, and not while another reads it", async () => {
  const { app } = ground.t;
  const shop = await Shop.open(ground);
  await app.db.query(sql`update channel set settings = settings || '{"polling": "true"}'
    where workspace_id = ${shop.id}`);
  const claim = async () => (await claimPolls(app, 10)).map((lease) => lease.workspaceId);
  await ahead(async () => assert.deepEqual(await claim(), [shop.id]));
  assert.deepEqual(await claim(), [shop.id]);
  assert.deepEqual(await claim(), []);
});

test("a header's file that was being given then is given when the clock is right, and not while another gives it", async () => {
  const { app } = ground.t;
  const shop = await Shop.open(ground);
  const { id } = await shop.draft();
  const claim = () => {
    const now = ground.t.clock.now();
    const leaseUntil = new Date(now.getTime() + 600_000);
    return claimHeader(app.db, { ...shop.key(id), mediaId: id }, { now, oldest: now, leaseUntil });
  };
  await ahead(async () => assert.equal(await claim(), true));
  assert.equal(await claim(), true);
  assert.equal(await claim(), false);
});
