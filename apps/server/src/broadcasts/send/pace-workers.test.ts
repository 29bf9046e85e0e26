import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { after, before, test } from "node:test";
import type { App } from "../../app.ts";
import { pauseBroadcast } from "../record/change-broadcast.ts";
import { refusal, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { systemClock } from "../../lib/clock.ts";
import { LONG } from "../../../test/group.ts";
import { startLoops } from "../../workers/loop.ts";
import { createRunBroadcastsWorker } from "../../workers/run-broadcasts.ts";
import { beginBatch } from "./begin-batch.ts";
import { makeCalls } from "./make-calls.ts";
import type { SendPlan } from "./plan-sending.ts";
import { sendBatch } from "./send-batch.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

/** Four processes on one database, with only the budget in the campaign's row. */
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

/** No longer than the time for which places are taken ahead. */
const STEP_MS = 500;
const MINUTE_MS = 60_000;
const RATE = 300;

async function running(
  count: number,
  rateLimitPerMinute: number,
): Promise<{ shop: Shop; id: string }> {
  const shop = await Shop.open(ground);
  await shop.crowd(count);
  const { id } = await shop.draft({ rateLimitPerMinute });
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  return { shop, id };
}

/** Lets all four take their turns for this long; gives the time of each send in steps. */
async function run(shop: Shop, id: string, ms: number): Promise<number[]> {
  const at: number[] = [];
  for (let step = 0; step < ms / STEP_MS; step++) {
    const before = ground.graph.sent.length;
    await Promise.all(apps.map((app) => sendBatch(app, shop.key(id))));
    for (let n = before; n < ground.graph.sent.length; n++) at.push(step);
    ground.t.clock.advance(STEP_MS);
  }
  return at;
}

/** The most sends in any window of this length. */
function most(at: readonly number[], windowMs: number): number {
  let first = 0;
  let found = 0;
  for (const [index, step] of at.entries()) {
    while (step - (at[first] ?? 0) >= windowMs / STEP_MS) first++;
    found = Math.max(found, index - first + 1);
  }
  return found;
}

/**
 * Sends for a little longer than a window. None has more than the rate allows, and the best one nearly all of it. The
 * rate holds for every minute exactly; a shorter window may have a place more at each end.
 */
async function checkRate(shop: Shop, id: string, windowMs = MINUTE_MS): Promise<number> {
  const at = await run(shop, id, windowMs + 6_000);
  const [found, allowed] = [most(at, windowMs), (RATE * windowMs) / MINUTE_MS];
  const atEnds = windowMs < MINUTE_MS ? 2 : 0;
  assert.ok(found <= allowed + atEnds && found >= allowed * 0.97, `${found} of ${allowed}`);
  return at.length;
}

test("four workers together never exceed the rate in any minute, and use it fully", async () => {
  const { shop, id } = await running(1_000, RATE);
  const sent = await checkRate(shop, id);
  const { sentCount } = await shop.checkCounts(id);
  assert.equal(sentCount, sent);
});

test("after a 429 episode that all four see the rate is exactly half, and stays so", async () => {
  const { shop, id } = await running(1_000, 2 * RATE + 1);
  await run(shop, id, 1_000);
  // The platform refuses everything that the four have open, twice over.
  ground.graph.answer = () => refusal(400, 130429);
  await Promise.all(apps.map((app) => sendBatch(app, shop.key(id))));
  ground.t.clock.advance(STEP_MS);
  await Promise.all(apps.map((app) => sendBatch(app, shop.key(id))));
  assert.equal((await shop.find(id)).rateLimitPerMinute, RATE);
  ground.graph.answer = () => ground.graph.accepted();
  await checkRate(shop, id, LONG ? MINUTE_MS : 20_000);
  assert.equal((await shop.checkCounts(id)).rateLimitPerMinute, RATE);
});

test("a pause by one process stops the other three at their next turn", async () => {
  const { shop, id } = await running(300, 6_000);
  ground.graph.sent.length = 0;
  await run(shop, id, 500);
  await pauseBroadcast(OPERATOR, shop.app, shop.id, id);
  const before = ground.graph.sent.length;
  assert.ok(before > 0);
  await run(shop, id, 1_000);
  assert.equal(ground.graph.sent.length, before);
});

/** A campaign of 80 a second, sent by two workers of which one is replaced by a new process. Gives the most in a second. */
async function busiestSecond(): Promise<{ readonly found: number; readonly late: number }> {
  const { shop, id } = await running(600, 4_800);
  const times: number[] = [];
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  const half = Promise.withResolvers<void>();
  const enough = Promise.withResolvers<void>();
  ground.graph.answer = () => {
    times.push(performance.now());
    if (times.length === 120) half.resolve();
    if (times.length === 240) enough.resolve();
    return ground.graph.accepted();
  };
  const start = async () => {
    const app = await ground.another({ clock: systemClock });
    const loops = startLoops(app, [createRunBroadcastsWorker(app)]);
    return async () => {
      await loops.stop();
      await app[Symbol.asyncDispose]();
    };
  };
  const stops = [await start(), await start()];
  await half.promise;
  await stops.shift()?.();
  stops.push(await start());
  await enough.promise;
  for (const stop of stops) await stop();
  ground.graph.answer = () => ground.graph.accepted();
  let first = 0;
  let found = 0;
  for (const [index, at] of times.entries()) {
    while (at - (times[first] ?? 0) >= 1_000) first++;
    found = Math.max(found, index - first + 1);
  }
  lag.disable();
  await shop.checkCounts(id);
  await pauseBroadcast(OPERATOR, shop.app, shop.id, id);
  // What fell due while this process had no turn is called at its end, beside what is due then.
  return { found, late: Math.ceil((lag.max / 1e9) * 80) };
}

test("no second has more than the pace, from the first one on: two workers, one of them replaced by a new process", async () => {
  // Where PostgreSQL has no turn for a while, the calls that wait for it are late as well: not in each of a few rounds.
  const seen: { readonly found: number; readonly late: number }[] = [];
  const isWithin = ({ found, late }: (typeof seen)[number]) => found <= 84 + late;
  while (seen.length < 5 && !seen.some(isWithin)) seen.push(await busiestSecond());
  assert.ok(
    seen.some(isWithin),
    `in one second, and up to so many of them late: ${JSON.stringify(seen)}`,
  );
});

const plan: SendPlan = {
  fill: () => ({ outbound: { kind: "text", text: "Hi" }, text: "Hi", template: null }),
  channelType: "WHATSAPP",
  secretsSince: null,
  send: async () => ({ ok: true, externalId: "x" }),
};

test("the places that a killed process had taken are given to nobody else", async () => {
  const { shop, id } = await running(100, 4_800);
  const dead = await beginBatch(shop.app, shop.key(id), plan, 30);
  assert.ok(dead.kind === "begun");
  const [other] = apps.slice(1);
  assert.ok(other);
  const next = await beginBatch(other, shop.key(id), plan, 30);
  assert.ok(next.kind === "begun");
  const places = [...dead.calls, ...next.calls].map((call) => call.placeAt);
  for (const [n, at] of places.entries())
    if (n > 0) assert.ok(at - (places[n - 1] ?? 0) >= 12.5, `place ${n}`);
  // All places that may be taken ahead are taken.
  assert.equal((await beginBatch(other, shop.key(id), plan, 30)).kind, "waits");
  await pauseBroadcast(OPERATOR, shop.app, shop.id, id);
});

test("a call that missed its place takes another one, and is not made if there is none", async () => {
  const { shop, id } = await running(10, 4_800);
  const begun = await beginBatch(shop.app, shop.key(id), plan, 10);
  assert.ok(begun.kind === "begun");
  // The process hung for longer than a pace may be exceeded.
  ground.t.clock.advance(70);
  const asked: number[] = [];
  const made: (boolean | undefined)[] = [];
  const make = (places: (count: number) => Promise<number[] | null>) =>
    makeCalls(
      shop.app,
      plan,
      begun.calls.slice(0, 5),
      async (answers) => void made.push(...answers.map(({ outcome }) => outcome?.ok)),
      {
        takePlaces: (count) => {
          asked.push(count);
          return places(count);
        },
      },
    );
  const now = ground.t.clock.now().getTime();
  await make(async (count) => Array.from({ length: count }, (_, n) => now + n));
  // The last of the five comes 50 ms after the first: it is in time.
  assert.deepEqual([asked, made], [[3], [true, true, true, true, true]]);
  await make(async () => null);
  assert.deepEqual(
    made.slice(5).filter((ok) => ok !== true),
    [undefined, undefined, undefined],
  );
  await pauseBroadcast(OPERATOR, shop.app, shop.id, id);
});
