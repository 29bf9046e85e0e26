import { OPERATOR } from "../../apps/server/src/actor.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { Sql, sql } from "../../apps/server/src/db/sql.ts";
import { createEndpoint } from "../../apps/server/src/webhooks/create-endpoint.ts";
import { updateEndpoint } from "../../apps/server/src/webhooks/update-endpoint.ts";
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
/** An even number: alone and beside come first in turn. */
const ROUNDS = 4;
/** Not counted: connections are made, statements planned. */
const WARM = 400;

function addressOf(index: number, receiver: string, bad: boolean): string {
  const at = (word: string) => receiver.replace("/hook", `/${word}`);
  if (index >= BAD) return at("timed");
  if (!bad) return at("hook");
  // Nobody listens there.
  if (index < DEAD) return "https://127.0.0.1:1/dead";
  return at(index < DEAD + SLOW ? "slow" : "flapping");
}

interface Run {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly events: number;
  /** Events that were acknowledged by nobody, though all endpoints were well at the end. */
  readonly lost: number;
}

/** Contacts by the API, spread over the workspaces: each is an event. Gives the delay of the healthy endpoints. */
async function run(world: World, bad: boolean, count: number): Promise<Run> {
  const { app } = world;
  await startAfresh(world);
  const { receiver } = world.sinksReady;
  for (let number = SMALL.first; number <= SMALL.last; number++) {
    const url = addressOf(number - SMALL.first, receiver, bad);
    await createEndpoint(OPERATOR, app, idAt(number, WORKSPACE), { url });
  }
  await world.sinks.ask("reset");
  await createContacts(world, WARM);
  await world.sinks.ask("measure");
  await createContacts(world, count);
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
  const [row] = await app.db.query<{ events: number }>(
    sql`select count(distinct (workspace_id, event_sequence)) as events from delivery`,
  );
  const events = row?.events ?? 0;
  const { distinct = 0 } = await world.sinks.ask("delays");
  return { p50Ms, p99Ms, events, lost: events - distinct };
}

let turn = 0;
/** As many, however long it takes; a few more when answers are late. */
async function createContacts(world: World, count: number): Promise<void> {
  const enough = new AbortController();
  const last = turn + count;
  await load(world.origin, {
    clients: 32,
    seconds: LONGEST_MS / 1_000,
    rate: RATE,
    signal: enough.signal,
    next() {
      const at = turn++;
      if (turn >= last) enough.abort();
      return {
        method: "POST",
        path: "/api/v1/contacts",
        headers: { authorization: world.keys.next(smallOf(at)) },
        body: JSON.stringify({ name: "Sara Haddad", email: `n${at}@example.com` }),
      };
    },
  });
}

/** The bad ones are well again and enabled; what waits for its next try need not wait here. */
async function heal(world: World, receiver: string): Promise<void> {
  const { app } = world;
  await world.sinks.ask("heal");
  const bad = await app.db.query<{ workspaceId: string; id: string }>(
    sql`select workspace_id as "workspaceId", id from endpoint where url not like '%/timed'`,
  );
  // By the operation: the address is stored sealed.
  for (const { workspaceId, id } of bad)
    await updateEndpoint(OPERATOR, app, workspaceId, id, { url: receiver });
  await app.db.query(sql`update endpoint set disabled_at = null, disabled_reason = null,
    consecutive_failures = 0, busy_until = null where url not like '%/timed'`);
  await app.db
    .query(sql`update delivery set state = 'pending', next_attempt_at = ${new Date()}, round_failures = 0
    where state <> 'delivered'`);
}

async function until(world: World, statement: ReturnType<typeof sql>): Promise<void> {
  for (const end = performance.now() + LONGEST_MS; performance.now() < end; await sleep(50)) {
    const [row] = await world.app.db.query<{ open: boolean }>(statement);
    if (row?.open === false) return;
  }
  throw new Error("the deliveries are not done in time");
}

/**
 * The same state before each run: no event, no dead row. The checkpoint keeps the log's files for use again, as they
 * are in a database that has run for a while: a new one of 16 MB takes 100 ms, in which no commit comes back.
 */
async function startAfresh(world: World): Promise<void> {
  const { db } = world.app;
  await db.query(sql`truncate delivery_attempt, delivery, event`);
  await db.query(sql`delete from endpoint`);
  for (const statement of ["vacuum endpoint", "vacuum event_sequence", "checkpoint"])
    await db.query(new Sql([statement], []));
}

const ms = (value: number): string => value.toFixed(0);

/** What dead, slow and flapping endpoints cost the healthy ones beside them. */
export const neighbours: Case = {
  name: "neighbours",
  async run(world, tell): Promise<Row[]> {
    const count = world.size.seconds >= 5 ? 10_000 : 1_600;
    await world.freshProduct("working");
    tell("warms up");
    await run(world, false, 2 * RATE);
    const rounds: { alone: Run; beside: Run }[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      // The second one finds larger tables: each is second as often.
      const first = await run(world, round % 2 === 0, count);
      const second = await run(world, round % 2 === 1, count);
      const [alone, beside] = round % 2 === 1 ? [first, second] : [second, first];
      rounds.push({ alone, beside });
      tell(
        `round ${round} of ${ROUNDS}: ${(beside.p99Ms / alone.p99Ms).toFixed(2)} (p99 ${ms(alone.p99Ms)} ms alone, ${ms(beside.p99Ms)} ms beside ${BAD} bad ones; p50 ${ms(alone.p50Ms)} and ${ms(beside.p50Ms)}; ${beside.events.toLocaleString("en")} events, ${alone.lost + beside.lost} lost)`,
      );
    }
    await world.freshProduct();
    await startAfresh(world);
    const ratio = median(rounds.map(({ alone, beside }) => beside.p99Ms / alone.p99Ms));
    const lost = rounds.reduce((sum, { alone, beside }) => sum + alone.lost + beside.lost, 0);
    const events = rounds.reduce((sum, { beside }) => sum + beside.events, 0) / ROUNDS;
    return [
      {
        name: `webhook delay, 200 endpoints, ${BAD} of them bad`,
        floor: null,
        product: RATE,
        ratio: null,
        p99Ms: median(rounds.map(({ beside }) => beside.p99Ms)),
        goal: "p99 within 1.3 of none bad",
        met: ratio <= 1.3 && lost === 0,
        note: `${ratio.toFixed(2)} times ${ms(median(rounds.map(({ alone }) => alone.p99Ms)))} ms; ${Math.round(events).toLocaleString("en")} events a run, ${lost === 0 ? "none" : lost} lost`,
      },
    ];
  },
};
