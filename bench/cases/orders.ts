import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { cancelBroadcast } from "../../apps/server/src/broadcasts/record/change-broadcast.ts";
import { OPERATOR } from "../../apps/server/src/actor.ts";
import { sql } from "../../apps/server/src/db/sql.ts";
import { load, type Load, type LoadRequest } from "../load.ts";
import type { Row } from "../rounds.ts";
import { idAt, seedConversations, WORKSPACE } from "../seed.ts";
import { APP_SECRET, CAMPAIGN, CHANNEL, SMALL, type World } from "../world.ts";
import { start } from "./campaign.ts";
import type { Case } from "./case.ts";
import { callOf } from "./inbound.ts";

const A_CALL = 100;
/** Calls a second of others: customers who write, members who reply, another workspace's reads. */
const RATES = { inbound: 200, replies: 10, reads: 10 } as const;
type Kind = keyof typeof RATES;
const KINDS = ["inbound", "replies", "reads"] as const satisfies readonly Kind[];
const NAMES: Record<Kind, string> = {
  inbound: "inbound calls, 200 a second",
  replies: "replies of the same workspace",
  reads: "reads of another workspace",
};
const CUSTOMERS = 100;
const CAMPAIGN_A_MINUTE = 1_200;
const GOAL = { acceptedSeconds: 120, times: 2 } as const;

interface Phase {
  readonly loads: ReadonlyMap<Kind, Load>;
  readonly seconds: number;
  /** Cores of PostgreSQL and of the product. */
  readonly cores: readonly [number, number] | null;
}

/** What others do until `work` has ended, and what `work` gives. */
async function beside<T>(world: World, work: () => Promise<T>): Promise<readonly [Phase, T]> {
  const over = new AbortController();
  const before = world.cpu();
  const begun = performance.now();
  const all = KINDS.map(async (kind) => {
    const next = requestsOf(world, kind);
    const { signal } = over;
    const options = { clients: 16, seconds: 600, rate: RATES[kind], next, signal, mayRefuse: true };
    return [kind, await load(world.origin, options)] as const;
  });
  const made = await work().finally(() => over.abort());
  const seconds = (performance.now() - begun) / 1_000;
  const after = world.cpu();
  const cores =
    before && after
      ? ([
          (after.postgres - before.postgres) / (seconds * 1_000),
          (after.product - before.product) / (seconds * 1_000),
        ] as const)
      : null;
  return [{ loads: new Map(await Promise.all(all)), seconds, cores }, made];
}

let calls = 0;

function requestsOf(world: World, kind: Kind): (turn: number) => LoadRequest {
  if (kind === "reads")
    return (turn) => ({
      method: "GET",
      path: "/api/v1/conversations",
      headers: { authorization: world.keys.next(SMALL.first + (turn % 10)) },
    });
  if (kind === "replies")
    return (turn) => ({
      method: "POST",
      path: "/api/v1/messages",
      headers: { authorization: world.keys.next(CAMPAIGN) },
      body: JSON.stringify({
        conversationId: idAt(CAMPAIGN, (turn % CUSTOMERS) + 1),
        text: `We look after it. ${turn}`,
      }),
    });
  return () => {
    const call = ++calls;
    const from = String(96_500_000_000 + (call % CUSTOMERS) + 1);
    const body = callOf(CAMPAIGN, from, `wamid.orders${Date.now().toString(36)}${call}`);
    const signature = createHmac("sha256", APP_SECRET).update(body).digest("hex");
    return {
      method: "POST",
      path: `/hooks/whatsapp/${idAt(CAMPAIGN, CHANNEL)}`,
      headers: { "x-hub-signature-256": `sha256=${signature}` },
      body,
    };
  };
}

/** The program of a shop: one batch after another, with one key, each asked again when it is told to wait. */
async function sendOrders(world: World, authorization: string, count: number): Promise<number> {
  let accepted = 0;
  for (let from = 0; from < count; from += A_CALL) {
    const messages = Array.from({ length: A_CALL }, (_, at) => ({
      to: String(201_500_000_000 + from + at),
      template: { name: "news", language: "en" },
      body: ["Sara"],
    }));
    for (;;) {
      const answer = await fetch(`${world.origin}/api/v1/template-messages/batch`, {
        method: "POST",
        headers: {
          authorization,
          "content-type": "application/json",
          "idempotency-key": `orders ${from}`,
        },
        body: JSON.stringify({ messages }),
      });
      if (answer.status === 429 || answer.status === 503) {
        await answer.arrayBuffer();
        await sleep(Number(answer.headers.get("retry-after") ?? 1) * 1_000);
        continue;
      }
      if (!answer.ok) throw new Error(`a batch was refused: ${answer.status}`);
      const { results } = (await answer.json()) as { results: { outcome: string }[] };
      accepted += results.filter(({ outcome }) => outcome === "accepted").length;
      break;
    }
  }
  return accepted;
}

/** Order updates by batches, while customers write and a campaign goes out on the same number. */
export const orders: Case = {
  name: "orders",
  async run(world, tell): Promise<Row[]> {
    const quick = world.size.contacts < 1_000_000;
    const count = quick ? 3_000 : 10_000;
    const { db } = world.app;
    const workspaceId = idAt(CAMPAIGN, WORKSPACE);
    await db.query(sql`truncate message_outbox`);
    await seedConversations(db, CAMPAIGN, CAMPAIGN, CUSTOMERS);
    await world.freshProduct("working");
    // The platform's reports come back as calls of their own.
    const { apiUrl = "" } = await world.sinks.ask(
      `reports ${JSON.stringify({
        url: `${world.origin}/hooks/whatsapp/${idAt(CAMPAIGN, CHANNEL)}`,
        appSecret: APP_SECRET,
        wabaId: String(2_000_000 + CAMPAIGN),
        phoneNumberId: String(1_000_000 + CAMPAIGN),
        batchSize: 20,
      })}`,
    );
    await db.query(sql`update channel set api_url = ${apiUrl}
      where workspace_id = ${workspaceId} and id = ${idAt(CAMPAIGN, CHANNEL)}`);
    const id = await start(world, CAMPAIGN, CAMPAIGN_A_MINUTE);
    // With the replies' key it would use up the 120 calls a minute.
    const key = world.keys.last(CAMPAIGN);
    tell("warms up");
    await beside(world, () => sleep(5_000));
    tell("the others alone");
    const [alone] = await beside(world, () => sleep(quick ? 20_000 : 45_000));
    tell(`${count} orders`);
    const [meanwhile, accepted] = await beside(world, () => sendOrders(world, key, count));
    tell("until they are sent");
    // At least so long that the others are seen.
    const [sending] = await beside(world, () => Promise.all([untilSent(world), sleep(2_000)]));
    await cancelBroadcast(OPERATOR, world.app, workspaceId, id);
    await world.freshProduct();
    const rows = KINDS.map((kind): Row => {
      const [first, second, third] = [alone, meanwhile, sending].map(({ loads }) =>
        loads.get(kind),
      );
      const times = (second?.p99Ms ?? NaN) / (first?.p99Ms ?? NaN);
      return {
        name: `${NAMES[kind]}, beside order updates`,
        floor: null,
        product: second?.perSecond ?? null,
        ratio: times,
        p99Ms: second?.p99Ms ?? null,
        goal: `p99 ≤ ${GOAL.times} times`,
        met: times <= GOAL.times && second?.refused === 0,
        note: `${second?.refused} refused; p99 alone ${ms(first)}, while they are sent ${ms(third)}`,
      };
    });
    return [
      {
        name: `${count.toLocaleString("en")} order updates by batches`,
        floor: null,
        product: accepted / meanwhile.seconds,
        ratio: null,
        p99Ms: null,
        goal: `≤ ${GOAL.acceptedSeconds} s`,
        met: accepted === count && meanwhile.seconds <= GOAL.acceptedSeconds,
        note: `${meanwhile.seconds.toFixed(0)} s, sent ${sending.seconds.toFixed(0)} s later; cores, pg + node: ${[alone, meanwhile, sending].map(coresOf).join(", ")}`,
      },
      ...rows,
    ];
  },
};

/** Until no reply waits; a few of the others' always do. */
async function untilSent({ app }: World): Promise<void> {
  for (const end = performance.now() + 300_000; performance.now() < end; await sleep(200)) {
    const [row] = await app.db.query<{ few: boolean }>(
      sql`select count(*) < 50 as few from (select 1 from message_outbox limit 50) o`,
    );
    if (row?.few === true) return;
  }
}

const ms = (figures: Load | undefined): string => `${(figures?.p99Ms ?? Number.NaN).toFixed(0)} ms`;
const coresOf = ({ cores }: Phase): string =>
  cores ? cores.map((one) => one.toFixed(2)).join(" + ") : "–";
