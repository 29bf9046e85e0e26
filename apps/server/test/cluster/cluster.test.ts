import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG } from "../group.ts";
import { mulberry } from "../crash/mulberry.ts";
import { campaignIsWhole, eventsArrived, repliesAndRecipients } from "../crash/promises.ts";
import { ReplyClient } from "../crash/reply-client.ts";
import { Shop } from "../crash/shop.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { Gaps } from "./gaps.ts";
import { noCluster } from "./patroni.ts";
import { RECEIVER, Stand } from "./stand.ts";

/**
 * PARLEY_CLUSTER_ROUNDS=20 repeats all faults, PARLEY_CLUSTER_FAULTS="leader|names" takes those whose name fits,
 * PARLEY_CLUSTER_KEEP=1 keeps the logs.
 */
const ROUNDS = Number(process.env["PARLEY_CLUSTER_ROUNDS"] ?? 1);
const ONLY = new RegExp(process.env["PARLEY_CLUSTER_FAULTS"] ?? "");
const CHOSEN = FAULTS.filter(({ name }) => ONLY.test(name));
const TURNS = ROUNDS * CHOSEN.length;

const CONVERSATIONS = 60;
const A_MINUTE = 300;
/** A round takes half a minute at least, so the campaign is under way in most of them. */
const AUDIENCE = Math.min(5_000, 200 + TURNS * 120);

/**
 * How much longer than the database itself a process may be away: below a second, on a machine on which nothing else runs. A
 * crowded one delays the probes too.
 */
const CROWDED_MS = 15_000;

const ROADS = [
  ["api through HAProxy", "HAProxy"],
  ["api by hosts", "leader"],
] as const;

function watch(shop: Shop<Stand>): Gaps {
  const { cluster, apis } = shop.server;
  const gaps = new Gaps();
  const probes = cluster.nodes.map(({ url }) => url.replace(/postgres$/, "probe"));
  gaps.database("leader", probes);
  gaps.database("HAProxy", [`postgres://postgres@${cluster.balancer.address}:5432/probe`]);
  for (const [number, [road]] of ROADS.entries())
    gaps.requests(road, async (turn) => {
      const bearer = shop.bearers[turn % shop.bearers.length] ?? "";
      const answer = await fetch(`${apis[number]?.base}/api/v1/contacts/upsert`, {
        method: "POST",
        signal: AbortSignal.timeout(20_000),
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body: JSON.stringify({
          match: ["phone"],
          phone: `9657${number}${String(turn % 500).padStart(6, "0")}`,
        }),
      });
      await answer.arrayBuffer();
      return answer.ok;
    });
  return gaps;
}

/** Nothing that was confirmed so far is lost, and nothing was sent twice. */
async function holds(shop: Shop<Stand>, client: ReplyClient): Promise<void> {
  const confirmed = client.accepted;
  const rows = await shop.server.query<{ id: string }>(
    "select id from message where direction = 'outbound'",
  );
  const there = new Set(rows.map(({ id }) => id));
  assert.deepEqual(
    [...confirmed.keys()].filter((id) => !there.has(id)),
    [],
    "confirmed replies that are lost",
  );
  assert.deepEqual(shop.meta.ledger.repeated(), [], "messages that the platform got twice");
}

/** One fault and its repair. Gives a line of figures. */
async function suffer(shop: Shop<Stand>, client: ReplyClient, fault: Fault): Promise<string> {
  await shop.server.cluster.whole();
  await using gaps = watch(shop);
  await gaps.back();
  const from = performance.now();
  const before = client.accepted.size;
  await fault.run({ shop, gaps });
  await gaps.back();
  await shop.server.cluster.whole();
  await gaps.back();
  const to = performance.now();
  await holds(shop, client);
  const longest = (road: string) => gaps.longest(road, from, to);
  const ours = ROADS.map(([road, under]) => {
    const [own, database] = [longest(road), longest(under)];
    return Math.round(fault.failover ? own.end - database.end : own.ms - database.ms);
  });
  const said = ["leader", "HAProxy", ...ROADS.map(([road]) => road)].map(
    (road) => `${road} ${Math.round(longest(road).ms)}`,
  );
  for (const ms of ours)
    assert.ok(ms < CROWDED_MS, `${fault.name}: back ${ms} ms after the database`);
  return `gaps ${said.join(", ")} ms; ours ${ours.join(" and ")} ms; ${client.accepted.size - before} replies confirmed`;
}

async function addReceiver(shop: Shop<Stand>): Promise<void> {
  const [last] = await shop.server.query<{ last: number }>(
    "select last::int as last from event_sequence",
  );
  const url = `${shop.receiver.base.replace("127.0.0.1", RECEIVER)}/all`;
  const words = ["webhook", "create", "--workspace", shop.workspaceId, "--url", url];
  const { secret } = await shop.server.command(...words);
  shop.inboxes.push({ kinds: [], inbox: shop.receiver.expect("/all", String(secret)) });
  shop.sequenceBefore = last?.last ?? 0;
}

test(
  "Patroni's leader dies, freezes, is cut off or changed, and the rest fails: nothing accepted is lost, nothing is sent twice",
  { skip: LONG ? noCluster() : "a case of the long suite", timeout: (20 + TURNS * 5) * 60_000 },
  async (t) => {
    const begun = performance.now();
    await using shop = await Shop.on(await Stand.start(), {
      seed: 1,
      conversations: CONVERSATIONS,
      keys: 60,
      audience: AUDIENCE,
      ratePerMinute: A_MINUTE,
      receivers: false,
    });
    await addReceiver(shop);
    t.diagnostic(`the stand took ${Math.round((performance.now() - begun) / 1_000)} s`);
    const client = new ReplyClient(shop, mulberry(1));
    const start = await shop.call(`/broadcasts/${shop.broadcastId}/start`, { method: "POST" });
    assert.equal(start.status, 201);
    const asking = client.run(4, 200);
    try {
      for (let round = 1; round <= ROUNDS; round++)
        for (const fault of CHOSEN)
          await t.test(`${fault.name}, round ${round}`, async (one) => {
            one.diagnostic(await suffer(shop, client, fault));
          });
    } finally {
      client.stop();
      await asking;
    }
    await shop.quiet();
    await shop.passTime();
    await shop.finished();
    assert.deepEqual(client.odd, []);
    const messages = await repliesAndRecipients(shop, client);
    await campaignIsWhole(shop, AUDIENCE);
    const events = await eventsArrived(shop);
    t.diagnostic(
      `answers ${JSON.stringify(Object.fromEntries(client.answers))}; ${messages.replies} replies confirmed, ` +
        `${messages.accepted} messages taken by the platform, ${messages.unknown} unknown outcomes; ${events.events} events, ` +
        `${events.repeated} of ${events.requests} deliveries repeated; ${Math.round((performance.now() - begun) / 1_000)} s in all`,
    );
  },
);
