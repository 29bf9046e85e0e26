import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../apps/server/src/db/sql.ts";
import { createEndpoint } from "../../apps/server/src/webhooks/create-endpoint.ts";
import { load } from "../load.ts";
import { median, type Row } from "../rounds.ts";
import { idAt, WORKSPACE } from "../seed.ts";
import { SMALL, type World } from "../world.ts";
import type { Case } from "./case.ts";
import { smallOf } from "./create.ts";

/** Events a second over all workspaces: a fraction of what the product delivers, so that a delay is no backlog. */
const RATE = 400;
/** Of 200 endpoints, each of a workspace of its own; the healthy are measured with and without the others. */
const DEAD = 10;
const SLOW = 10;
const FLAPPING = 5;
const BAD = DEAD + SLOW + FLAPPING;
const LONGEST_MS = 120_000;

function addressOf(index: number, receiver: string, bad: boolean): string {
  const at = (word: string) => receiver.replace("/hook", `/${word}`);
  if (index >= BAD) return at("timed");
  if (!bad) return at("hook");
  // Nobody listens there.
  if (index < DEAD) return "https://127.0.0.1:1/dead";
  return at(index < DEAD + SLOW ? "slow" : "flapping");
}

/** Contacts by the API, spread over the workspaces: each is an event. Gives the delay of the healthy endpoints. */
async function run(
  world: World,
  bad: boolean,
  seconds: number,
): Promise<{ p50Ms: number; p99Ms: number; events: number }> {
  const { app } = world;
  await clear(world);
  const { receiver } = world.sinksReady;
  for (let number = SMALL.first; number <= SMALL.last; number++) {
    const url = addressOf(number - SMALL.first, receiver, bad);
    await createEndpoint(app, idAt(number, WORKSPACE), { url });
  }
  await world.sinks.ask("reset");
  let turn = 0;
  await load(world.origin, {
    clients: 32,
    seconds,
    rate: RATE,
    next() {
      const at = turn++;
      return {
        method: "POST",
        path: "/api/v1/contacts",
        headers: { authorization: world.keys.next(smallOf(at)) },
        body: JSON.stringify({ name: "Sara Haddad", email: `n${at}@example.com` }),
      };
    },
  });
  const [row] = await app.db.query<{ events: number }>(
    sql`select count(*) as events from delivery`,
  );
  const events = row?.events ?? 0;
  await until(
    world,
    sql`select exists (select 1 from delivery d join endpoint e
    on e.workspace_id = d.workspace_id and e.id = d.endpoint_id
    where d.state <> 'delivered' and e.url like '%/timed') as open`,
  );
  const { p50Ms = Number.NaN, p99Ms = Number.NaN } = await world.sinks.ask("delays");
  if (bad) await heal(world, receiver);
  await until(
    world,
    sql`select exists (select 1 from delivery where state <> 'delivered') as open`,
  );
  const { distinct } = await world.sinks.ask("delays");
  if (distinct !== events) throw new Error(`${distinct} of ${events} events arrived`);
  return { p50Ms, p99Ms, events };
}

/** The bad ones are well again and enabled; what waits for its next try need not wait here. */
async function heal(world: World, receiver: string): Promise<void> {
  const { db } = world.app;
  await world.sinks.ask("heal");
  await db.query(sql`update endpoint set url = ${receiver}, disabled_at = null, disabled_reason = null,
    consecutive_failures = 0 where url not like '%/timed'`);
  await db.query(sql`update delivery set state = 'pending', next_attempt_at = ${new Date()}, round_failures = 0
    where state <> 'delivered'`);
}

async function until(world: World, statement: ReturnType<typeof sql>): Promise<void> {
  for (const end = performance.now() + LONGEST_MS; performance.now() < end; await sleep(50)) {
    const [row] = await world.app.db.query<{ open: boolean }>(statement);
    if (row?.open === false) return;
  }
  throw new Error("the deliveries are not done in time");
}

async function clear(world: World): Promise<void> {
  const { db } = world.app;
  await db.query(sql`delete from delivery_attempt`);
  await db.query(sql`delete from delivery`);
  await db.query(sql`delete from endpoint`);
}

/** What dead, slow and flapping endpoints cost the healthy ones beside them. */
export const neighbours: Case = {
  name: "neighbours",
  async run(world, tell): Promise<Row[]> {
    // 10,000 events; with --quick 1,600.
    const seconds = world.size.seconds >= 5 ? 25 : 4;
    const rounds = Math.min(world.size.rounds, 3);
    await world.freshProduct("working");
    tell("warms up");
    await run(world, false, 2);
    const ratios: number[] = [];
    const without: number[] = [];
    const beside: number[] = [];
    let events = 0;
    for (let round = 1; round <= rounds; round++) {
      const alone = await run(world, false, seconds);
      const together = await run(world, true, seconds);
      ({ events } = together);
      without.push(alone.p99Ms);
      beside.push(together.p99Ms);
      ratios.push(together.p99Ms / alone.p99Ms);
      tell(
        `round ${round} of ${rounds}: p99 ${alone.p99Ms.toFixed(0)} ms alone, ${together.p99Ms.toFixed(0)} ms beside ${BAD} bad ones (p50 ${alone.p50Ms.toFixed(0)}, ${together.p50Ms.toFixed(0)})`,
      );
    }
    await world.freshProduct();
    await clear(world);
    const ratio = median(ratios);
    return [
      {
        name: `webhook delay, 200 endpoints, ${BAD} of them bad`,
        floor: null,
        product: RATE,
        ratio: null,
        p99Ms: median(beside),
        goal: "p99 within 1.3 of none bad",
        met: ratio <= 1.3,
        note: `${ratio.toFixed(2)} times ${median(without).toFixed(0)} ms; ${events.toLocaleString("en")} events, none lost`,
      },
    ];
  },
};
