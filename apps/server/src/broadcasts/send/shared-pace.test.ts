import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { App } from "../../app.ts";
import { LONG } from "../../../test/group.ts";
import { listChannels } from "../../channels/list-channels.ts";
import { sql } from "../../db/sql.ts";
import { pauseBroadcast } from "../record/change-broadcast.ts";
import { refusal, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { sendBatch } from "./send-batch.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

/** Several campaigns on one number, sent by four processes on one database. */
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

/** No longer than the time for which places are taken ahead. */
const STEP_MS = 400;
/**
 * The window in which sends are counted. A pace holds for every minute exactly; a third of one, in the short suite, may
 * have a place more at each end.
 */
const WINDOW_MS = LONG ? 60_000 : 20_000;
const AT_ENDS = LONG ? 0 : 2;

interface Campaign {
  readonly shop: Shop;
  readonly id: string;
}

/** One more campaign to everyone of the shop. */
async function running(shop: Shop, rateLimitPerMinute?: number): Promise<Campaign> {
  const pace = rateLimitPerMinute === undefined ? {} : { rateLimitPerMinute };
  const { id } = await shop.draft({ rateLimitPerMinute: 4_800, ...pace });
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED")
    await storeChunk(shop.app, shop.key(id), 10_000);
  return { shop, id };
}

async function shopOf(count: number, prefix?: string): Promise<Shop> {
  const shop = await Shop.open(ground);
  await shop.crowd(count, prefix);
  return shop;
}

/** This many processes take turns at all campaigns for this long; gives for each campaign what it sent in each step. */
async function run(campaigns: readonly Campaign[], ms: number, workers = 2): Promise<number[][]> {
  const steps: number[][] = [];
  const counts = async () =>
    Promise.all(campaigns.map(async ({ shop, id }) => (await shop.find(id)).sentCount));
  let before = await counts();
  for (let step = 0; step < ms / STEP_MS; step++) {
    await Promise.all(
      apps.slice(0, workers).map(async (app) => {
        for (const { shop, id } of campaigns) await sendBatch(app, shop.key(id));
      }),
    );
    const now = await counts();
    steps.push(now.map((count, n) => count - (before[n] ?? 0)));
    before = now;
    ground.t.clock.advance(STEP_MS);
  }
  return steps;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const of = (steps: readonly number[][], n: number): number[] => steps.map((step) => step[n] ?? 0);

/** The most in any window. */
function most(steps: readonly number[]): number {
  const starts = steps.map((_, from) => sum(steps.slice(from, from + WINDOW_MS / STEP_MS)));
  return Math.max(...starts);
}

async function numberOf(shop: Shop): Promise<string> {
  const [channel] = await listChannels(shop.app, shop.id);
  return channel?.externalId ?? "";
}

/** Another workspace connects the same number, at the same or another address. */
async function alsoHolds(other: Shop, number: string, apiUrl: string | null = null): Promise<void> {
  await other.app.db.query(sql`update channel set external_id = ${number}, api_url = ${apiUrl}
    where workspace_id = ${other.id}`);
}

/** Limits the number to a pace that a test can fill: as after refusals, for a day. */
async function holdTo(shop: Shop, ceiling: number): Promise<void> {
  await shop.app.db.query(sql`insert into number_pace (account, ceiling, halved_at)
    values (${`WHATSAPP  ${await numberOf(shop)}`}, ${ceiling}, ${ground.t.clock.now()})`);
}

test("two campaigns on one number never exceed its pace together, use it, and get the same", async () => {
  const shop = await shopOf(900);
  await holdTo(shop, 300);
  const campaigns = [await running(shop), await running(shop)];
  const steps = await run(campaigns, WINDOW_MS + 5_000, 4);
  const found = most(steps.map(sum));
  const allowed = (300 * WINDOW_MS) / 60_000;
  assert.ok(found <= allowed + AT_ENDS && found >= allowed * 0.97, `${found} of ${allowed}`);
  const [first, second] = [sum(of(steps, 0)), sum(of(steps, 1))];
  assert.ok(Math.abs(first - second) <= 0.1 * first, `${first} and ${second}`);
  for (const { id } of campaigns) await shop.checkCounts(id);
});

test("one with a pace of its own keeps to it, and the other gets what it leaves", async () => {
  const shop = await shopOf(300);
  await holdTo(shop, 300);
  const steps = await run([await running(shop, 60), await running(shop)], 20_000);
  const [slow, fast] = [sum(of(steps, 0)), sum(of(steps, 1))];
  assert.ok(slow <= 21 && slow >= 18, `${slow} of the slow one`);
  assert.ok(slow + fast <= 105, `${slow + fast} together`);
  assert.ok(fast >= 75, `${fast} of the fast one`);
});

test("a paused campaign leaves everything to the other within seconds, and gets its half again at once", async () => {
  const shop = await shopOf(900);
  await holdTo(shop, 300);
  const campaigns = [await running(shop), await running(shop)];
  await run(campaigns, 10_000);
  await pauseBroadcast(OPERATOR, shop.app, shop.id, campaigns[0]?.id ?? "");
  await run(campaigns, 4_000);
  const alone = sum(of(await run(campaigns, 20_000), 1));
  assert.ok(alone >= 95, `${alone} of 98 alone`);
  await shop.start(campaigns[0]?.id ?? "");
  const steps = await run(campaigns, 20_000);
  const [first, second] = [sum(of(steps, 0)), sum(of(steps, 1))];
  assert.ok(Math.abs(first - second) <= 8, `${first} and ${second}`);
});

test("a number in two workspaces has one pace, and the same number at another address has a pace of its own", async () => {
  const shop = await shopOf(600);
  const partner = await shopOf(600, "9656");
  const elsewhere = await shopOf(600, "9657");
  const number = await numberOf(shop);
  await alsoHolds(partner, number);
  await alsoHolds(elsewhere, number, "https://relay.example");
  await holdTo(shop, 300);
  const campaigns = [await running(shop), await running(partner), await running(elsewhere, 600)];
  const steps = await run(campaigns, 20_000);
  const [own, theirs, other] = [sum(of(steps, 0)), sum(of(steps, 1)), sum(of(steps, 2))];
  assert.ok(own + theirs <= 105 && own + theirs >= 95, `${own} and ${theirs}`);
  assert.ok(Math.abs(own - theirs) <= 8, `${own} and ${theirs}`);
  assert.ok(other >= 190, `${other} of 207 elsewhere`);
});

test("a refusal of one parks the number for all on it; it and the number are halved once, the other is not", async () => {
  const shop = await shopOf(900);
  const partner = await shopOf(900, "9656");
  await alsoHolds(partner, await numberOf(shop));
  const [mine, second, theirs] = [
    await running(shop, 301),
    await running(shop, 600),
    await running(partner, 600),
  ];
  await run([mine, second, theirs], 2_000);
  ground.graph.answer = () => refusal(400, 130429);
  // Everything that the four have open is refused: one episode.
  await Promise.all(apps.map((app) => sendBatch(app, mine.shop.key(mine.id))));
  assert.equal((await shop.find(mine.id)).rateLimitPerMinute, 150);
  ground.graph.answer = () => ground.graph.accepted();
  ground.graph.sent.length = 0;
  // The platform's wait is a second.
  const parked = await run([mine, second, theirs], 1_000);
  assert.equal(ground.graph.sent.length, 0);
  assert.equal(sum(parked.map(sum)), 0);
  const after = await run([mine, second, theirs], 3_000);
  assert.ok(sum(of(after, 1)) > 0 && sum(of(after, 2)) > 0);
  const rates = [await shop.find(second.id), await partner.find(theirs.id)];
  assert.deepEqual(
    rates.map((one) => one.rateLimitPerMinute),
    [600, 600],
  );
  const [number] = await shop.app.db.query<{ ceiling: number }>(sql`
    select ceiling from number_pace where account = ${`WHATSAPP  ${await numberOf(shop)}`}`);
  assert.equal(number?.ceiling, 2_400);
});

test("the number is limited for a day after a refusal, to exactly half, whatever runs on it", async () => {
  const shop = await shopOf(2_000);
  const campaigns = [await running(shop, 9_601), await running(shop, 4_800)];
  await run(campaigns, 1_000);
  // All calls of both are open before the first is refused.
  const inTheAir = Promise.withResolvers<void>();
  let calls = 0;
  ground.graph.answer = async () => {
    if (++calls === 20) inTheAir.resolve();
    await inTheAir.promise;
    return refusal(400, 130429);
  };
  await Promise.all(campaigns.map(({ id }) => sendBatch(shop.app, shop.key(id), 10)));
  ground.graph.answer = () => ground.graph.accepted();
  const rates = await Promise.all(campaigns.map(({ id }) => shop.find(id)));
  assert.deepEqual(
    rates.map((one) => one.rateLimitPerMinute),
    [4_800, 2_400],
  );
  ground.t.clock.advance(10_001);
  await run(campaigns, 1_000);
  const steps = await run(campaigns, 8_000);
  const [fast, slow] = [sum(of(steps, 0)), sum(of(steps, 1))];
  assert.ok(fast + slow <= 616 && fast + slow >= 585, `${fast} and ${slow}`);
  assert.ok(Math.abs(fast - slow) <= 32, `${fast} and ${slow}`);
});

test("a new process finds the number's budget as the last one left it", async () => {
  const shop = await shopOf(200);
  await holdTo(shop, 60);
  const campaigns = [await running(shop), await running(shop)];
  const before = sum((await run(campaigns, 10_000)).map(sum));
  await using anew = await ground.another();
  let sent = 0;
  for (let at = 0; at < 10_000; at += STEP_MS) {
    for (const { id } of campaigns) sent += await sendBatch(anew, shop.key(id));
    ground.t.clock.advance(STEP_MS);
  }
  assert.ok(before <= 12 && sent <= 10, `${before} and ${sent}`);
  assert.ok(before >= 10 && sent >= 9, `${before} and ${sent}`);
});
