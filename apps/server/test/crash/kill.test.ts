import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { LONG } from "../group.ts";
import { mulberry } from "./mulberry.ts";
import { campaignIsWhole, countsAddUp, eventsArrived, repliesAndRecipients } from "./promises.ts";
import type { Victim } from "./real-server.ts";
import { ReplyClient } from "./reply-client.ts";
import { Shop } from "./shop.ts";

/** The first kills of every run; the long suite goes on at random. */
const PLANNED: readonly { readonly victim: Victim; readonly starts: boolean }[] = [
  { victim: "server", starts: false },
  { victim: "postgres", starts: false },
  { victim: "both", starts: false },
  { victim: "server", starts: true },
];
const KILLS = LONG ? 20 : PLANNED.length;
const AUDIENCE = LONG ? 2_000 : 300;
const CONVERSATIONS = LONG ? 150 : 30;

/**
 * The server, its PostgreSQL or both are killed again and again at random points under load. Nothing that was confirmed
 * is lost, nobody gets anything twice, every count is true at every moment, every event arrives. Repeat a run with
 * PARLEY_CRASH_SEED; the moments themselves depend on the machine.
 */
test(`${KILLS} kills: nothing accepted is lost, nothing is sent twice, every event arrives`, async (t) => {
  const seed = Number(process.env["PARLEY_CRASH_SEED"] ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed}`);
  const random = mulberry(seed);
  const begun = performance.now();
  await using shop = await Shop.open({
    seed,
    conversations: CONVERSATIONS,
    keys: 40,
    audience: AUDIENCE,
    ratePerMinute: LONG ? 6_000 : 3_000,
  });
  const opened = performance.now();
  const client = new ReplyClient(shop, random);
  let over = false;
  const stop = () => {
    client.stop();
    over = true;
  };

  const inbound: string[] = [];
  const writing = async () => {
    while (!over) {
      inbound.push(shop.customerWrites(Math.floor(random() * CONVERSATIONS)));
      await sleep(200);
    }
  };
  const faults: string[] = [];
  let samples = 0;
  const sampling = async () => {
    while (!over) {
      const counts = await countsAddUp(shop).catch(() => null);
      if (counts) samples++;
      if (counts?.fault) faults.push(counts.fault);
      await sleep(300);
    }
  };
  let kills = "";
  const storming = async () => {
    kills = await storm(shop, random, () => over);
    stop();
  };
  await allOrNone(stop, [
    startCampaign(shop, () => over),
    LONG ? client.run(12, 100) : client.run(4, 150),
    writing(),
    sampling(),
    storming(),
  ]);
  const stormed = performance.now();

  await shop.quiet();
  await shop.passTime();
  await shop.finished();

  t.diagnostic(
    `answers ${JSON.stringify(Object.fromEntries(client.answers))}, ${kills}, ${samples} samples, ` +
      `${shop.meta.stats.refused} platform calls refused, starts of ${shop.server.starts().join(", ")} ms`,
  );
  assert.deepEqual(faults, [], "counts that did not add up while it ran");
  assert.ok(samples > KILLS, `${samples} samples`);
  assert.deepEqual(client.odd, []);
  const messages = await repliesAndRecipients(shop, client);
  await campaignIsWhole(shop, AUDIENCE);
  const events = await eventsArrived(shop);
  const rows = await shop.server.query<{ id: string }>(
    "select provider_message_id as id from message where direction = 'inbound'",
  );
  assert.deepEqual(
    inbound.filter((id) => !rows.some((row) => row.id === id)),
    [],
    "customers' messages that are not there",
  );
  assert.equal(rows.length, inbound.length + CONVERSATIONS);
  assert.equal(shop.meta.stats.abandoned + shop.meta.stats.dropped, 0);
  const seconds = (from: number, to: number) => Math.round((to - from) / 1_000);
  t.diagnostic(
    `${messages.replies} replies confirmed, ${messages.accepted} messages taken by the platform, ` +
      `${messages.unknown} unknown outcomes; ${events.events} events, ${events.repeated} of ` +
      `${events.requests} deliveries repeated; opening ${seconds(begun, opened)} s, storm ${seconds(opened, stormed)} s, ` +
      `in all ${seconds(begun, performance.now())} s`,
  );
});

/** Waits for all. The first failure stops the others, and is thrown when they have ended: nothing outlives the test. */
async function allOrNone(stop: () => void, works: readonly Promise<void>[]): Promise<void> {
  for (const work of works) work.catch(stop);
  const ends = await Promise.allSettled(works);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** Asks for the start until it is confirmed, as long as servers are killed; then it must succeed within three minutes. */
async function startCampaign(shop: Shop, over: () => boolean): Promise<void> {
  for (let deadline = Infinity; ; await sleep(100)) {
    const answer = await shop
      .call(`/broadcasts/${shop.broadcastId}/start`, { method: "POST" })
      .catch(() => null);
    // 400: an earlier one went through and its answer was lost.
    if (answer?.status === 201 || answer?.status === 400) return;
    if (over()) deadline = Math.min(deadline, Date.now() + 180_000);
    if (Date.now() > deadline) throw new Error("the campaign could not be started");
  }
}

/** Kills and restarts: in full work, or in the middle of the start. Gives what was killed. */
async function storm(shop: Shop, random: () => number, over: () => boolean): Promise<string> {
  const killed: Record<string, number> = {};
  const { server } = shop;
  for (let round = 0; round < KILLS && !over(); round++) {
    const { victim, starts } = PLANNED[round] ?? {
      victim: pick(["server", "postgres", "both"] as const satisfies Victim[], random),
      starts: random() < 0.2,
    };
    if (!starts) await readyAgain(shop, killed);
    await sleep(starts ? random() * 1_200 : 300 + random() * 1_200);
    const hit = await server.kill(victim);
    const name = hit ? `${starts ? "starting " : ""}${victim}` : "nobody";
    killed[name] = (killed[name] ?? 0) + 1;
    // Without its server PostgreSQL runs on; the next start ends it.
    if (victim !== "postgres") server.launch();
  }
  await readyAgain(shop, killed);
  return JSON.stringify(killed);
}

/** A start whose database is shot from under it may give up with a word; its supervisor starts it anew. */
async function readyAgain({ server }: Shop, counts: Record<string, number>): Promise<void> {
  await server.ready().catch(async (error: Error) => {
    if (!server.ended) throw error;
    assert.match(server.logs().slice(-500), /\nparley: [^\n]+\n$/, "an end without a word");
    counts["gave up"] = (counts["gave up"] ?? 0) + 1;
    server.launch();
    await server.ready();
  });
}

function pick<T>(list: readonly T[], random: () => number): T {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}
