import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { connectChannel } from "../../channels/connect-channel.ts";
import { sql } from "../../db/sql.ts";
import { HttpFailure } from "../../lib/http.ts";
import { applyTemplateStatus } from "../../templates/apply-template-status.ts";
import { metered } from "../../usage/metered.fixture.ts";
import { updateWorkspace } from "../../workspaces/update-workspace.ts";
import { beginBatch } from "./begin-batch.ts";
import { broadcastTimeline } from "../record/broadcast-timeline.ts";
import {
  callsByAddress,
  refusal,
  Shop,
  startGround,
  type Ground,
} from "../record/campaign.fixture.ts";
import { intendCalls } from "./flight-store.ts";
import { makeCalls } from "./make-calls.ts";
import { resendUnknown } from "./resend-unknown.ts";
import { sendBatch } from "./send-batch.ts";
import { settleBatch } from "./settle-batch.ts";
import { planBroadcast } from "./plan-sending.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());
beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

/** A campaign with twenty recipients. Two are sent: places are taken ahead for two at a time. */
async function underWay(): Promise<{ shop: Shop; id: string }> {
  const shop = await Shop.open(ground);
  await shop.crowd(20);
  const { id } = await shop.draft({ rateLimitPerMinute: 180 });
  await shop.start(id);
  await ground.t.app.drain();
  assert.equal((await shop.checkCounts(id)).sentCount, 2);
  return { shop, id };
}

/** Lets seconds pass while the workers work. */
async function seconds(count: number, step = 1): Promise<void> {
  for (let n = 0; n < count; n += step) {
    ground.t.clock.advance(step * 1_000);
    await ground.t.app.drain();
  }
}

/** It goes on, and everyone has the message once. */
async function endsWell(shop: Shop, id: string): Promise<void> {
  if ((await shop.find(id)).status === "PAUSED") await shop.start(id);
  for (let n = 0; n < 20 && (await shop.find(id)).status !== "COMPLETED"; n++) await seconds(1);
  const done = await shop.checkCounts(id);
  assert.deepEqual([done.status, done.sentCount, done.failedCount], ["COMPLETED", 20, 0]);
  assert.deepEqual([...new Set(callsByAddress(ground.graph.sent).values())], [1]);
  assert.equal(ground.graph.sent.length, 20);
  assert.equal((await metered(shop.app, shop.id)).messages, 20);
}

test("a workspace suspended in the middle: PAUSED with the reason, not startable, and nothing is lost", async () => {
  const { shop, id } = await underWay();
  await updateWorkspace(OPERATOR, shop.app, shop.id, { suspended: true });
  await seconds(5);
  const paused = await shop.checkCounts(id);
  assert.deepEqual(
    [paused.status, paused.statusReason, paused.sentCount, ground.graph.sent.length],
    ["PAUSED", "SUBSCRIPTION_SUSPENDED", 2, 2],
  );
  await assert.rejects(shop.start(id), /SUBSCRIPTION_SUSPENDED/);
  assert.equal((await shop.find(id)).status, "PAUSED");
  await updateWorkspace(OPERATOR, shop.app, shop.id, { suspended: false });
  await endsWell(shop, id);
});

test("a token that ends in the middle: PAUSED, the channel in error, and again so until there is a new token", async () => {
  const { shop, id } = await underWay();
  ground.graph.answer = () => refusal(401, 190);
  await seconds(2);
  const paused = await shop.checkCounts(id);
  assert.deepEqual([paused.status, paused.sentCount, paused.failedCount], ["PAUSED", 2, 0]);
  assert.match(paused.statusReason ?? "", /^190: /);
  // Nobody calls with a token that is known to be invalid.
  const calls = ground.graph.sent.length;
  await assert.rejects(shop.start(id), /its channel .* is in error: 190: /);
  await seconds(2);
  assert.equal((await shop.find(id)).status, "PAUSED");
  assert.equal(ground.graph.sent.length, calls);
  ground.graph.answer = () => ground.graph.accepted();
  const [channel] = await shop.app.db.query<{ number: string }>(sql`
    select external_id as number from channel where workspace_id = ${shop.id}`);
  await connectChannel(OPERATOR, shop.app, shop.id, {
    type: "WHATSAPP",
    name: "Shop",
    phoneNumberId: channel?.number ?? "",
    wabaId: "5467",
    accessToken: "new",
    appSecret: "secret",
    verifyToken: "verify",
  });
  // The platform of these tests lists no templates, and a new connection asks for them.
  await ground.t.app.drain();
  await shop.app.db.query(sql`
    update template set status = 'APPROVED' where workspace_id = ${shop.id} and id = ${shop.templateId}`);
  // The recipients that were refused for the invalid token were called, and their messages were not sent.
  ground.graph.sent.splice(2);
  await endsWell(shop, id);
});

test("a template that the platform pauses in the middle: PAUSED without another call; approved again, it goes on", async () => {
  const { shop, id } = await underWay();
  const push = (status: string) =>
    shop.app.db.transaction((tx) =>
      applyTemplateStatus(shop.app, tx, {
        workspaceId: shop.id,
        channelId: shop.desk.account.channelId,
        externalTemplateId: "77",
        status,
        reason: null,
      }),
    );
  const waiting = await shop.draft();
  await push("PAUSED");
  await seconds(3);
  const paused = await shop.checkCounts(id);
  assert.deepEqual(
    [paused.status, paused.statusReason, ground.graph.sent.length],
    ["PAUSED", "TEMPLATE_NOT_APPROVED", 2],
  );
  await shop.start(waiting.id);
  await seconds(1);
  const failed = await shop.find(waiting.id);
  assert.deepEqual([failed.status, failed.statusReason], ["FAILED", "TEMPLATE_NOT_APPROVED"]);
  await push("APPROVED");
  await endsWell(shop, id);
});

test("a provider that nobody reaches for ten minutes: the campaign runs on, nobody is given up, the pace stays", async () => {
  const { shop, id } = await underWay();
  const arrived = [...ground.graph.sent];
  ground.graph.answer = (_, body) => {
    // No byte left, so it was not sent.
    ground.graph.sent.splice(ground.graph.sent.indexOf(body), 1);
    throw new HttpFailure("connect", false, "refused");
  };
  await seconds(600, 30);
  const down = await shop.checkCounts(id);
  assert.deepEqual([down.status, down.sentCount, down.failedCount], ["RUNNING", 2, 0]);
  assert.deepEqual(ground.graph.sent, arrived);
  const { entries } = await broadcastTimeline(shop.app, shop.id, id);
  assert.ok(entries.some((one) => one.kind === "waited" && one.cause === "UNREACHED"));
  ground.graph.answer = () => ground.graph.accepted();
  await seconds(400, 40);
  assert.equal((await shop.find(id)).rateLimitPerMinute, 180);
  await endsWell(shop, id);
});

test("a provider that fails for only one recipient: that one waits, the campaign does not", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(6);
  const { id } = await shop.draft({ rateLimitPerMinute: 180 });
  let trouble = true;
  ground.graph.answer = (_, { to }) =>
    trouble && to.endsWith("2") ? refusal(500, 131000) : ground.graph.accepted();
  await shop.start(id);
  // Two at once, then one batch of one or two a second.
  await ground.t.app.drain();
  await seconds(4);
  const sent = [...Array<string>(2).fill("sent"), "pending", ...Array<string>(3).fill("sent")];
  assert.deepEqual(await shop.outcomes(id), sent);
  const { entries } = await broadcastTimeline(shop.app, shop.id, id);
  assert.deepEqual(
    entries.filter((one) => one.kind === "waited"),
    [],
  );
  trouble = false;
  await seconds(6);
  const done = await shop.checkCounts(id);
  assert.deepEqual([done.status, done.sentCount], ["COMPLETED", 6]);
});

test("a provider that answers nothing for ten minutes: few end as unknown, and are sent again when a person asks", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(1_500);
  const { id } = await shop.draft();
  let down = true;
  ground.graph.answer = () =>
    down ? { status: 503, headers: {}, body: Buffer.from("") } : ground.graph.accepted();
  await shop.start(id);
  await ground.t.app.drain();
  const first = ground.graph.sent.length;
  assert.ok(first > 0 && first <= 1_024, `${first} tried at once`);
  ground.t.clock.advance(30_000);
  await ground.t.app.drain();
  assert.equal(ground.graph.sent.length, first, "it waits");
  down = false;
  await seconds(60, 30);
  ground.t.clock.advance(15 * 60_000);
  await seconds(15, 5);
  const done = await shop.checkCounts(id);
  assert.deepEqual(
    [done.status, done.sentCount, done.failedCount],
    ["COMPLETED", 1_500 - first, first],
  );
  assert.deepEqual([...new Set(callsByAddress(ground.graph.sent).values())], [1]);
  assert.equal(await resendUnknown(OPERATOR, shop.app, shop.id, id), first);
  await seconds(2);
  assert.deepEqual([(await shop.checkCounts(id)).sentCount], [1_500]);
});

test("two workers, one frozen longer than we wait for evidence: nobody gets it twice, whenever it wakes", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(12);
  const { id } = await shop.draft();
  await shop.start(id);
  const key = shop.key(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, key);
  await using frozen = await ground.another();
  // Two calls of the frozen worker were sent, and their answers are waiting; three have their intent stored.
  const left = Promise.withResolvers<void>();
  const wakes = Promise.withResolvers<void>();
  ground.graph.answer = async () => {
    if (ground.graph.sent.length === 2) left.resolve();
    await wakes.promise;
    return ground.graph.accepted();
  };
  const calling = sendBatch(frozen, key, 2);
  await left.promise;
  const plan = await planBroadcast(frozen, await shop.find(id));
  assert.ok("send" in plan);
  const begun = await beginBatch(frozen, key, plan, 3);
  assert.ok(begun.kind === "begun");
  const intend = (upTo: number) => intendCalls(frozen.db, key, begun.flightId, upTo);
  assert.ok(await intend(3));
  ground.graph.answer = () => ground.graph.accepted();
  for (let minutes = 0; minutes < 18; minutes += 3) {
    await ground.t.app.drain();
    ground.t.clock.advance(3 * 60_000);
  }
  await ground.t.app.drain();
  const given = await shop.checkCounts(id);
  assert.deepEqual([given.status, given.sentCount, given.failedCount], ["COMPLETED", 7, 5]);
  // A person sends again to the three, and then the frozen one wakes.
  const contactIds = begun.calls.map((call) => call.claim.contactId);
  assert.equal(await resendUnknown(OPERATOR, shop.app, shop.id, id, { contactIds }), 3);
  await ground.t.app.drain();
  assert.equal((await shop.checkCounts(id)).sentCount, 10);
  wakes.resolve();
  await calling;
  await makeCalls(
    frozen,
    plan,
    begun.calls,
    (answers) => settleBatch(frozen, begun.broadcast, answers, plan),
    { intend },
  );
  await ground.t.app.drain();
  const done = await shop.checkCounts(id);
  assert.deepEqual([done.status, done.sentCount, done.failedCount], ["COMPLETED", 12, 0]);
  assert.deepEqual([...new Set(callsByAddress(ground.graph.sent).values())], [1]);
  assert.equal(ground.graph.sent.length, 12);
});
