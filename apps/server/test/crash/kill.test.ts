import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { mulberry } from "./mulberry.ts";
import { campaignIsWhole, countsAddUp, eventsArrived, repliesAndRecipients } from "./promises.ts";
import type { Victim } from "./real-server.ts";
import { ReplyClient } from "./reply-client.ts";
import { eventually, Shop } from "./shop.ts";

const KILLS = 20;
const AUDIENCE = 2_000;

/**
 * The server, its PostgreSQL or both are killed twenty times at random points under load. Nothing that was confirmed
 * is lost, nobody gets anything twice, every count is true at every moment, every event arrives. Repeat a run with
 * PARLEY_CRASH_SEED; the moments themselves depend on the machine.
 */
test("twenty kills: nothing accepted is lost, nothing is sent twice, every event arrives", async (t) => {
  const seed = Number(process.env["PARLEY_CRASH_SEED"] ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed}`);
  const random = mulberry(seed);
  const begun = performance.now();
  await using shop = await Shop.open({
    seed,
    conversations: 150,
    keys: 40,
    audience: AUDIENCE,
    ratePerMinute: 6_000,
  });
  const opened = performance.now();
  const client = new ReplyClient(shop, random);
  const asking = client.run(12, 100);
  let over = false;

  const inbound: string[] = [];
  const writing = (async () => {
    while (!over) {
      inbound.push(shop.customerWrites(Math.floor(random() * 150)));
      await sleep(200);
    }
  })();
  const faults: string[] = [];
  let samples = 0;
  const sampling = (async () => {
    while (!over) {
      const counts = await countsAddUp(shop).catch(() => null);
      if (counts) samples++;
      if (counts?.fault) faults.push(counts.fault);
      await sleep(300);
    }
  })();
  const starting = eventually("the campaign's start", 60_000, async () => {
    const answer = await shop
      .call(`/broadcasts/${shop.broadcastId}/start`, { method: "POST" })
      .catch(() => null);
    // 400: an earlier one went through and its answer was lost.
    return answer?.status === 201 || answer?.status === 400 ? true : null;
  });

  const kills = await storm(shop, random).finally(() => {
    client.stop();
    over = true;
  });
  await Promise.all([starting, asking, writing, sampling]);
  const storming = performance.now();

  await shop.quiet();
  await shop.passTime();
  await shop.finished();

  t.diagnostic(
    `answers ${JSON.stringify(Object.fromEntries(client.answers))}, ${kills}, ${samples} samples, ` +
      `${shop.meta.stats.refused} platform calls refused, starts of ${shop.server.starts().join(", ")} ms`,
  );
  assert.deepEqual(faults, [], "counts that did not add up while it ran");
  assert.ok(samples > 20);
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
  assert.equal(rows.length, inbound.length + 150);
  assert.equal(shop.meta.stats.abandoned + shop.meta.stats.dropped, 0);
  const seconds = (from: number, to: number) => Math.round((to - from) / 1_000);
  t.diagnostic(
    `${messages.replies} replies confirmed, ${messages.accepted} messages taken by the platform, ` +
      `${messages.unknown} unknown outcomes; ${events.events} events, ${events.repeated} of ` +
      `${events.requests} deliveries repeated; opening ${seconds(begun, opened)} s, storm ${seconds(opened, storming)} s, ` +
      `in all ${seconds(begun, performance.now())} s`,
  );
});

/** Kills and restarts: in full work, or in the middle of the start. Gives what was killed. */
async function storm(shop: Shop, random: () => number): Promise<string> {
  const killed: Record<string, number> = {};
  const { server } = shop;
  for (let round = 0; round < KILLS; round++) {
    const starts = random() < 0.2;
    if (!starts) await readyAgain(shop, killed);
    await sleep(starts ? random() * 1_200 : 300 + random() * 1_200);
    const victim = pick(["server", "postgres", "both"] as const satisfies Victim[], random);
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
