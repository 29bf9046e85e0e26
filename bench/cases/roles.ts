import { OPERATOR } from "../../apps/server/src/actor.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { cancelBroadcast } from "../../apps/server/src/broadcasts/record/change-broadcast.ts";
import type { Config } from "../../apps/server/src/config.ts";
import { sql } from "../../apps/server/src/db/sql.ts";
import { Child } from "../child.ts";
import { median, type Row } from "../rounds.ts";
import { idAt, seedConversations, WORKSPACE } from "../seed.ts";
import type { Answer, Ask } from "../server.ts";
import type { Stamps, StampsAsk } from "../stamps.ts";
import { CAMPAIGN, CHANNEL, type World } from "../world.ts";
import { start } from "./campaign.ts";
import type { Case } from "./case.ts";

const RATE_PER_MINUTE = 6_000;
const REPLIES_A_SECOND = 8;
const CONVERSATIONS = 100;
const SECONDS = 30;
const SETTLES_MS = 3_000;
const LONGEST_MS = 60_000;
const GOAL = { replyMs: 30, part: 0.95, second: 1.05 };

type Role = Config["role"];
const SETUPS: readonly (readonly [string, readonly Role[]])[] = [
  ["one process", ["all"]],
  ["two API, two workers", ["api", "api", "worker", "worker"]],
];

interface Beside {
  readonly replyMs: readonly number[];
  readonly lost: number;
  readonly campaignPerSecond: number;
  readonly fastestSecond: number;
}

const now = () => performance.timeOrigin + performance.now();

/** Replies at a steady pace, each to a conversation of its own turn; gives when each was accepted. */
async function reply(
  world: World,
  origins: readonly string[],
  first: number,
): Promise<Map<string, number>> {
  const accepted = new Map<string, number>();
  const begun = performance.now();
  const asked: Promise<void>[] = [];
  for (let n = 0; n < SECONDS * REPLIES_A_SECOND; n++) {
    await sleep(Math.max(0, begun + (n * 1_000) / REPLIES_A_SECOND - performance.now()));
    const name = `reply ${first + n}`;
    const conversationId = idAt(CAMPAIGN, (n % CONVERSATIONS) + 1);
    asked.push(
      (async () => {
        const answer = await fetch(`${origins[n % origins.length] ?? ""}/api/v1/messages`, {
          method: "POST",
          headers: {
            authorization: world.keys.next(CAMPAIGN),
            "content-type": "application/json",
          },
          body: JSON.stringify({ conversationId, text: `${name}: it is on its way.` }),
        });
        if (answer.status !== 201) throw new Error(`a reply was refused: ${answer.status}`);
        accepted.set(name, now());
        await answer.arrayBuffer();
      })(),
    );
  }
  await Promise.all(asked);
  return accepted;
}

/** The most arrivals in any second, from the first on. */
function fastestSecond(times: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [index, at] of times.entries()) {
    while (at - (times[first] ?? 0) >= 1_000) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

async function beside(
  world: World,
  stamps: Child<StampsAsk, Stamps>,
  roles: readonly Role[],
  first: number,
): Promise<Beside> {
  await using stack = new AsyncDisposableStack();
  const origins: string[] = [];
  for (const role of roles) {
    const [child, ready] = await Child.start<Ask, Answer, Answer>("server.ts", [
      world.databaseUrl,
      role,
    ]);
    stack.use(child);
    stack.defer(async () => void (await child.ask("end")));
    await child.ask("work");
    if (role !== "worker") origins.push(ready.origin ?? "");
  }
  const [origin = ""] = origins;
  await stamps.ask("take");
  const id = await start(world, CAMPAIGN, RATE_PER_MINUTE, origin);
  const begun: number[] = [];
  for (const end = performance.now() + LONGEST_MS; begun.length === 0;) {
    if (performance.now() > end) throw new Error("the campaign does not begin");
    await sleep(50);
    begun.push(...(await stamps.ask("take")).campaign);
  }
  const from = now();
  const accepted = await reply(world, origins, first);
  const until = now();
  await sleep(SETTLES_MS);
  const seen = await stamps.ask("take");
  await cancelBroadcast(OPERATOR, world.app, idAt(CAMPAIGN, WORKSPACE), id);
  const campaign = [...begun, ...seen.campaign].toSorted((a, b) => a - b);
  const arrived = [...accepted].flatMap(([name, at]) => {
    const reached = seen.replies[name];
    return reached === undefined ? [] : [Math.max(0, reached - at)];
  });
  return {
    replyMs: arrived.toSorted((a, b) => a - b),
    lost: accepted.size - arrived.length,
    campaignPerSecond:
      (campaign.filter((at) => at >= from && at < until).length * 1_000) / (until - from),
    fastestSecond: fastestSecond(campaign),
  };
}

/** A campaign at 6,000 a minute and eight replies a second on one number, in one process and in four by their roles. */
export const roles: Case = {
  name: "roles",
  async run(world, tell): Promise<Row[]> {
    const [stamps, { apiUrl }] = await Child.start<StampsAsk, Stamps, { apiUrl: string }>(
      "stamps.ts",
      [],
    );
    await using _stop = stamps;
    const { db } = world.app;
    const workspaceId = idAt(CAMPAIGN, WORKSPACE);
    await db.query(sql`truncate message_outbox`);
    await seedConversations(db, CAMPAIGN, CAMPAIGN, CONVERSATIONS);
    const reach = (url: string) =>
      db.query(sql`update channel set api_url = ${url}
        where workspace_id = ${workspaceId} and id = ${idAt(CAMPAIGN, CHANNEL)}`);
    await reach(apiUrl);
    const rows: Row[] = [];
    let first = 0;
    for (const [name, processes] of SETUPS) {
      tell(name);
      const seen = await beside(world, stamps, processes, first);
      first += SECONDS * REPLIES_A_SECOND;
      const pace = RATE_PER_MINUTE / 60;
      const p50 = median(seen.replyMs);
      const p99 = seen.replyMs[Math.floor(seen.replyMs.length * 0.99)] ?? null;
      const part = seen.campaignPerSecond / pace;
      rows.push({
        name: `campaign at 6,000 a minute beside 8 replies a second, ${name}`,
        floor: pace,
        product: seen.campaignPerSecond,
        ratio: part,
        p99Ms: p99,
        goal: "replies p50 ≤ 30 ms, ≥ 0.95, no second > 105",
        met:
          seen.lost === 0 &&
          p50 <= GOAL.replyMs &&
          part >= GOAL.part &&
          seen.fastestSecond <= pace * GOAL.second,
        note: `replies p50 ${p50.toFixed(1)} ms, ${seen.lost} lost; ${seen.fastestSecond} calls in the fastest second`,
      });
    }
    await reach(world.sinksReady.apiUrl);
    return rows;
  },
};
