import { KEY } from "../../../test/actors.ts";
import { actorName, OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { App } from "../../app.ts";
import { listChannels } from "../../channels/list-channels.ts";
import { sql } from "../../db/sql.ts";
import { broadcastTimeline } from "../record/broadcast-timeline.ts";
import { cancelBroadcast, pauseBroadcast } from "../record/change-broadcast.ts";
import { refusal, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { sendBatch } from "./send-batch.ts";
import { setPace } from "./set-pace.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

let ground: Ground;
let apps: App[];
before(async () => {
  ground = await startGround();
  apps = [ground.t.app, await ground.another(), await ground.another(), await ground.another()];
});
after(async () => {
  for (const app of apps.slice(1)) await app[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
});
beforeEach(() => {
  ground.graph.answer = () => ground.graph.accepted();
});

async function running(count: number, rateLimitPerMinute: number) {
  const shop = await Shop.open(ground);
  await shop.crowd(count);
  const { id } = await shop.draft({ rateLimitPerMinute });
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  return { shop, id };
}

const STEP_MS = 250;
/** Four processes take turns for this long; gives how many were sent. */
async function run(shop: Shop, id: string, ms: number): Promise<number> {
  const before = ground.graph.sent.length;
  for (let at = 0; at < ms; at += STEP_MS) {
    await Promise.all(apps.map((app) => sendBatch(app, shop.key(id))));
    ground.t.clock.advance(STEP_MS);
  }
  return ground.graph.sent.length - before;
}

test("a pace that is set while four workers send takes effect within a second, up and down, and the timeline tells it", async () => {
  const { shop, id } = await running(2_000, 300);
  await run(shop, id, 2_000);
  const faster = await setPace(OPERATOR, apps[2] ?? shop.app, shop.id, id, 6_000);
  assert.equal(faster.rateLimitPerMinute, 6_000);
  const second = await run(shop, id, 1_000);
  assert.ok(second >= 75 && second <= 200, `${second} in the second after, at 100 a second`);
  await setPace(KEY, apps[3] ?? shop.app, shop.id, id, 60);
  const slow = await run(shop, id, 20_000);
  assert.ok(slow <= 21 && slow >= 18, `${slow} in 20 seconds, at one a second`);
  const { entries } = await broadcastTimeline(shop.app, shop.id, id);
  assert.deepEqual(
    entries
      .filter((one) => one.kind === "paced")
      .map(({ actor, rateFrom, rateTo, from, to }) => [actor, rateFrom, rateTo, from, to]),
    [
      ["cli", 300, 6_000, null, null],
      [actorName(KEY), 6_000, 60, null, null],
    ],
  );
  assert.equal((await shop.checkCounts(id)).rateLimitPerMinute, 60);
});

test("the same pace again makes no entry; one out of its bounds is refused by name", async () => {
  const { shop, id } = await running(1, 300);
  await setPace(OPERATOR, shop.app, shop.id, id, 300);
  for (const rate of [9, 1_000_001, 10.5, Number.NaN])
    await assert.rejects(setPace(OPERATOR, shop.app, shop.id, id, rate), {
      code: "VALIDATION_FAILED",
      facts: {
        details: [
          { path: "rateLimitPerMinute", message: "must be a whole number from 10 to 1000000" },
        ],
      },
    });
  for (const rate of [10, 1_000_000]) await setPace(OPERATOR, shop.app, shop.id, id, rate);
  const { entries } = await broadcastTimeline(shop.app, shop.id, id);
  assert.deepEqual(
    entries.filter((one) => one.kind === "paced").map((one) => [one.rateFrom, one.rateTo]),
    [
      [300, 10],
      [10, 1_000_000],
    ],
  );
});

test("a pace can be set before the start and while paused, but not after the end, nor from another workspace", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(1);
  const draft = await shop.draft();
  assert.equal((await setPace(OPERATOR, shop.app, shop.id, draft.id, 77)).status, "DRAFT");
  const { shop: other, id } = await running(1, 300);
  await assert.rejects(setPace(OPERATOR, shop.app, shop.id, id, 77), {
    code: "BROADCAST_NOT_FOUND",
  });
  await pauseBroadcast(OPERATOR, other.app, other.id, id);
  const { status, rateLimitPerMinute } = await setPace(OPERATOR, other.app, other.id, id, 77);
  assert.deepEqual([status, rateLimitPerMinute], ["PAUSED", 77]);
  await other.start(id);
  await sendBatch(other.app, other.key(id));
  await sendBatch(other.app, other.key(id));
  await cancelBroadcast(OPERATOR, shop.app, shop.id, draft.id);
  const failing = await shop.draft();
  await shop.app.db.query(
    sql`update template set status = 'PAUSED' where workspace_id = ${shop.id}`,
  );
  await shop.start(failing.id);
  await storeChunk(shop.app, shop.key(failing.id));
  for (const [at, ended, expected] of [
    [other, id, "COMPLETED"],
    [shop, draft.id, "CANCELLED"],
    [shop, failing.id, "FAILED"],
  ] as const) {
    assert.equal((await at.find(ended)).status, expected);
    await assert.rejects(setPace(OPERATOR, at.app, at.id, ended, 78), {
      code: "NOT_ALLOWED_IN_STATE",
      facts: {
        explanation: `a ${expected} campaign has no pace to set: it must be DRAFT, SCHEDULED, QUEUED, RUNNING, PAUSED`,
        details: [
          {
            path: "status",
            message: `is ${expected}; this needs DRAFT or SCHEDULED or QUEUED or RUNNING or PAUSED`,
          },
        ],
      },
    });
  }
});

test("a person's pace lifts the limit from refusals, and calls from before do not halve it", async () => {
  const { shop, id } = await running(500, 6_000);
  const inTheAir = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<void>();
  ground.graph.answer = async () => {
    inTheAir.resolve();
    await refused.promise;
    return refusal(400, 130429);
  };
  const batch = sendBatch(shop.app, shop.key(id), 5);
  await inTheAir.promise;
  ground.t.clock.advance(100);
  await setPace(OPERATOR, shop.app, shop.id, id, 8_000);
  refused.resolve();
  await batch;
  assert.equal((await shop.find(id)).rateLimitPerMinute, 8_000);
  const [channel] = await listChannels(shop.app, shop.id);
  const held = async () => {
    const [row] = await shop.app.db.query<{ ceiling: number }>(sql`
      select ceiling from number_pace where account = ${`WHATSAPP  ${channel?.externalId}`}`);
    return row?.ceiling;
  };
  assert.equal(await held(), 3_000);
  await setPace(OPERATOR, shop.app, shop.id, id, 9_000);
  assert.equal(await held(), 9_000);
  await setPace(OPERATOR, shop.app, shop.id, id, 600);
  assert.equal(await held(), 9_000);
});
