import type { Context } from "../context.ts";
import { sqlState, type Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { ENDPOINT_LEASE_MS } from "./delivery-policy.ts";
import { byIndexAlone, claimLanes, releaseLanes } from "./delivery-store.ts";
import { startLane, type Lane } from "./lane.ts";
import { LanePlaces } from "./lane-places.ts";
import { settleDeliveries, type AttemptResult } from "./settle-deliveries.ts";
import { describeForLog } from "../db/describe-for-log.ts";

const LAST_START_MS = 8_000;
// While lanes run, a claim that nothing asks for finds retries that came due and events of other processes. Most find
// nothing, and cost as much as settling five deliveries.
const LOOK_MS = 50;
// A clean stop takes ten seconds at most, and a receiver may take as long as that to answer.
const STOP_MS = 5_000;

/**
 * Delivers webhooks, one lane per endpoint. Lanes are independent of each other: a slow or dead endpoint holds up its
 * own lane alone. All lanes share one database transaction at a time, a turn: it settles the answers, gives back the
 * endpoints of ended lanes, and claims due deliveries. A failing endpoint gets one delivery at a time until a 2xx, with
 * a rest before each that grows (contract §5). A crash needs no clearing up: leases end, and a delivery without a
 * recorded attempt is sent again with the same `webhook-id`.
 */
export interface DeliveryLanes {
  /** Settles what was answered, claims what is due, and gives how many lanes it started. */
  turn(): Promise<number>;
  readonly running: number;
  /** Attempts settled since the last call. */
  takeSettled(): number;
  /** Resolves when there is something to settle or a lane to give back; at once when no lane runs. */
  news(): Promise<void>;
  /**
   * Starts no request any more and resolves when all lanes ended. What got no answer after five seconds is cut off and
   * not counted: it is sent again after the restart.
   */
  stop(): Promise<void>;
}

type LaneContext = Pick<
  Context,
  "db" | "clock" | "ids" | "sealer" | "guardedHttp" | "log" | "wake" | "life"
>;

/** The values were not taken: trying the same again is no use. */
function isRefused(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? "");
}

/**
 * What a turn does in the database: one transaction, two round trips; what a failure asks for takes more, beside the
 * claim. `wanted` null: nothing is claimed.
 */
async function commitTurn(
  context: LaneContext,
  results: readonly AttemptResult[],
  over: readonly Lane[],
  wanted: (() => ReturnType<LanePlaces["wanted"]>) | null,
) {
  const now = context.clock.now();
  const leaseUntil = new Date(now.getTime() + ENDPOINT_LEASE_MS);
  const by = context.life.id;
  const claimed = await context.db.transaction(async (tx: Tx) => {
    tx.later(byIndexAlone(tx));
    // No turn waits for the disk: what a crash of the machine takes back is claimed and sent again.
    tx.later(tx.query(sql`set local synchronous_commit = off`));
    // The claim does not wait for what failures ask for: an endpoint that failed rests or is still leased.
    const recorded = results.length > 0 ? settleDeliveries(context, tx, results) : undefined;
    const releases = over.map((lane) => ({
      workspaceId: lane.head.workspaceId,
      endpointId: lane.head.endpointId,
      leaseUntil: lane.leaseUntil,
      broken: lane.broken,
    }));
    if (releases.length > 0) tx.later(releaseLanes(tx, releases, now));
    const [lanes] = await Promise.all([
      wanted ? claimLanes(tx, { now, until: leaseUntil, by }, wanted()) : [],
      recorded,
    ]);
    return lanes;
  });
  return { claimed, leaseUntil, by };
}

/**
 * Settles one result at a time. A result that the database refuses fails alone: its neighbours are recorded, and it
 * is sent again when its lease ends.
 */
async function settleOneByOne(
  context: LaneContext,
  results: readonly AttemptResult[],
): Promise<void> {
  for (const result of results) {
    try {
      await commitTurn(context, [result], [], null);
    } catch (error) {
      if (!isRefused(error)) throw error;
      const { workspaceId, endpointId } = result;
      context.log.error(
        { ...describeForLog(error), workspaceId, endpointId },
        "webhook attempt not recorded",
      );
    }
  }
}

interface Told {
  readonly lane: Lane;
  readonly result: AttemptResult;
}

/** The lanes of this process, none running; see `DeliveryLanes`. */
export function createDeliveryLanes(context: LaneContext): DeliveryLanes {
  const places = new LanePlaces();
  const halt = new AbortController();
  let answers: Told[] = [];
  let ended: Lane[] = [];
  let listeners: (() => void)[] = [];
  let settled = 0;
  let stopping = false;
  /** When it was last claimed, and how many nudges there had been. */
  let looked = { at: -Infinity, nudges: -1 };
  let last: Promise<unknown> = Promise.resolve();

  function told(lane: Lane, result: AttemptResult | null): void {
    if (result) answers.push({ lane, result });
    else ended.push(lane);
    for (const resolve of listeners.splice(0)) resolve();
  }

  async function take(claim: boolean): Promise<number> {
    const taken = answers;
    const over = ended;
    const now = { at: performance.now(), nudges: context.wake.nudges("deliveries") };
    const asked =
      over.length > 0 ||
      places.running === 0 ||
      now.nudges !== looked.nudges ||
      now.at - looked.at >= LOOK_MS;
    const look = claim && !stopping && asked;
    if (!look && taken.length === 0 && over.length === 0) return 0;
    answers = [];
    ended = [];
    const results = taken.map(({ result }) => result);
    let outcome: Awaited<ReturnType<typeof commitTurn>>;
    try {
      const wanted = look ? () => places.wanted(performance.now()) : null;
      outcome = await commitTurn(context, results, over, wanted).catch(async (error: unknown) => {
        if (!isRefused(error)) throw error;
        await settleOneByOne(context, results);
        return commitTurn(context, [], over, null);
      });
    } catch (error) {
      // The database is away or full: all of it is tried again, and the number of each attempt keeps it from counting
      // twice.
      answers = [...taken, ...answers];
      ended = [...over, ...ended];
      throw error;
    }
    if (look) looked = now;
    for (const lane of over) places.leave(lane);
    settled += results.length;
    for (const [lane, group] of Map.groupBy(taken, (one) => one.lane)) lane.settled(group.length);
    const { claimed, leaseUntil, by } = outcome;
    const lastStart = leaseUntil.getTime() - ENDPOINT_LEASE_MS + LAST_START_MS;
    for (const { head, due } of claimed) {
      const window = head.failing ? 1 : places.windowOf(head.endpointId);
      const { signal } = halt;
      const options = { head, due, leaseUntil, by, lastStart, window, signal, told };
      places.enter(startLane(context, options));
    }
    if (stopping) places.halt();
    return claimed.length;
  }

  /** Turns follow one another. */
  function turn(claim = true): Promise<number> {
    const mine = last.then(() => take(claim));
    last = mine.catch(() => {});
    return mine;
  }

  async function news(): Promise<void> {
    if (answers.length > 0 || ended.length > 0 || places.running === 0) return;
    await new Promise<void>((resolve) => listeners.push(resolve));
  }

  return {
    get running() {
      return places.running;
    },
    takeSettled() {
      const count = settled;
      settled = 0;
      return count;
    },
    turn: () => turn(),
    news,
    async stop() {
      stopping = true;
      places.halt();
      const late = setTimeout(() => halt.abort(), STOP_MS);
      await last;
      places.halt();
      while (places.running > 0) {
        await news();
        try {
          await turn(false);
        } catch (error) {
          context.log.error(describeForLog(error), "webhook attempts not recorded");
          break;
        }
      }
      clearTimeout(late);
    },
  };
}
