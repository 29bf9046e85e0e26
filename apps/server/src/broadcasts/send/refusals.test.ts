import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { setConsent } from "../../contacts/consent/set-consent.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { metered } from "../../usage/metered.fixture.ts";
import { sql } from "../../db/sql.ts";
import { refusal, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { cancelBroadcast } from "../record/change-broadcast.ts";

let ground: Ground;

before(async () => {
  ground = await startGround();
});

after(() => ground[Symbol.asyncDispose]());

beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

test("a late failure that is the template's pauses the campaign; one that is the recipient's does not", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(20);
  const { id } = await shop.draft({ rateLimitPerMinute: 180 });
  await shop.start(id);
  await ground.t.app.drain();
  const [a, b] = ground.graph.sent.map((body) => body.biz_opaque_callback_data);
  const fail = (correlationId: string | undefined, scope: "recipient" | "template") =>
    receiveEvents(shop.app, [
      shop.desk.status({
        correlationId: correlationId ?? "",
        externalMessageId: `y.${correlationId}`,
        status: "failed",
        errorCode: "132015",
        errorDetail: "paused",
        scope,
      }),
    ]);
  await fail(a, "recipient");
  assert.equal((await shop.checkCounts(id)).status, "RUNNING");
  await fail(b, "template");
  const paused = await shop.checkCounts(id);
  assert.deepEqual(
    [paused.status, paused.statusReason, paused.failedCount],
    ["PAUSED", "132015: paused", 2],
  );
});

test("a recipient who opts out between two tries is skipped, and the message is not shown as sent", async () => {
  const shop = await Shop.open(ground);
  const [person = ""] = await shop.crowd(2);
  const { id } = await shop.draft();
  ground.graph.answer = (_, body) =>
    body.to.endsWith("0") ? refusal(400, 131056) : ground.graph.accepted();
  await shop.start(id);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["pending", "sent"]);
  const at = ground.t.clock.now();
  const consent = { workspaceId: shop.id, contactId: person, optedOut: true, source: "test", at };
  await shop.app.db.transaction((tx) => setConsent(shop.app, tx, [consent]));
  ground.t.clock.advance(60_000);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["skipped opted_out", "sent"]);
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  const told = (await shop.desk.events("message.status")).map((data) => [
    data["status"],
    data["errorCode"],
  ]);
  assert.deepEqual(told, [["failed", "OPTED_OUT"]]);
  const { sent, failed } = await metered(shop.app, shop.id);
  assert.deepEqual([sent, failed], [1, 1]);
});

test("a throttle halves once per episode, parks for the wait that was asked for, and keeps message and slot", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(30);
  const { id } = await shop.draft({ rateLimitPerMinute: 6_000 });
  let refused = 0;
  ground.graph.answer = (_, body) =>
    Number(body.to.slice(-2)) % 2 === 0 && refused < 15
      ? (refused++, refusal(400, 130429))
      : ground.graph.accepted();
  await shop.start(id);
  await ground.t.app.drain();
  const slow = await shop.checkCounts(id);
  assert.deepEqual([slow.status, slow.rateLimitPerMinute, slow.sentCount], ["RUNNING", 3_000, 15]);
  const before = (await metered(shop.app, shop.id)).messages;
  assert.equal(before, 30);
  ground.t.clock.advance(1_001);
  await ground.t.app.drain();
  const done = await shop.checkCounts(id);
  assert.deepEqual(
    [done.status, done.rateLimitPerMinute, done.sentCount],
    ["COMPLETED", 3_000, 30],
  );
  assert.equal((await metered(shop.app, shop.id)).messages, 30);
});

test("halving ends at 10 a minute", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(3);
  const { id } = await shop.draft({ rateLimitPerMinute: 25 });
  ground.graph.answer = () => refusal(400, 130429);
  await shop.start(id);
  const rates: number[] = [];
  for (let round = 0; round < 4; round++) {
    await ground.t.app.drain();
    rates.push((await shop.find(id)).rateLimitPerMinute);
    ground.t.clock.advance(60_000);
  }
  assert.deepEqual(rates, [12, 10, 10, 10]);
  assert.equal((await shop.checkCounts(id)).failedCount, 0);
  await cancelBroadcast(OPERATOR, shop.app, shop.id, id);
});

test("the limit for one recipient delays that one and does not halve", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(3);
  const { id } = await shop.draft({ rateLimitPerMinute: 6_000 });
  let first = true;
  ground.graph.answer = () =>
    first ? ((first = false), refusal(400, 131056)) : ground.graph.accepted();
  await shop.start(id);
  await ground.t.app.drain();
  const now = await shop.checkCounts(id);
  assert.deepEqual([now.status, now.rateLimitPerMinute, now.sentCount], ["RUNNING", 6_000, 2]);
  ground.t.clock.advance(6_001);
  await ground.t.app.drain();
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
});

test("a refused token pauses the campaign, turns the channel to error and fails nobody", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(5);
  const { id } = await shop.draft();
  ground.graph.answer = () => refusal(401, 190);
  await shop.start(id);
  await ground.t.app.drain();
  const paused = await shop.checkCounts(id);
  assert.deepEqual([paused.status, paused.failedCount], ["PAUSED", 0]);
  assert.match(paused.statusReason ?? "", /^190: /);
  assert.deepEqual(new Set(await shop.outcomes(id)), new Set(["pending"]));
  assert.equal((await shop.desk.events("channel.status")).at(-1)?.["status"], "error");
  const notices = await shop.app.db.query<{ kind: string }>(
    sql`select kind from notice where workspace_id = ${shop.id} order by kind`,
  );
  assert.deepEqual(
    notices.map((one) => one.kind),
    ["broadcast.paused", "channel.error"],
  );
});

test("a refused template pauses, a refused number fails alone, a stop opts out", async () => {
  const shop = await Shop.open(ground);
  const [, , stopped] = await shop.crowd(4);
  const { id } = await shop.draft();
  ground.graph.answer = (_, body) =>
    body.to.endsWith("1")
      ? refusal(400, 131026)
      : body.to.endsWith("2")
        ? refusal(400, 131050)
        : body.to.endsWith("3")
          ? refusal(400, 132015)
          : ground.graph.accepted();
  await shop.start(id);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["sent", "failed 131026", "failed 131050", "pending"]);
  assert.equal((await shop.checkCounts(id)).status, "PAUSED");
  const [contact] = await shop.app.db.query<{ out: boolean }>(sql`
    select opted_out_at is not null as out from contact where workspace_id = ${shop.id} and id = ${stopped}`);
  assert.equal(contact?.out, true);
  ground.graph.answer = () => ground.graph.accepted();
  await shop.start(id);
  await ground.t.app.drain();
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
});
