import type { Context } from "../context.ts";
import { sqlState, type Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { ENDPOINT_LEASE_MS } from "./delivery-policy.ts";
import {
  byIndexAlone,
  claimLanes,
  releaseLanes,
  selectChanged,
  type LaneHead,
} from "./delivery-store.ts";
import { startLane, type Lane, type LaneOptions } from "./lane.ts";
import { LanePlaces } from "./lane-places.ts";
import { LaneReports } from "./lane-reports.ts";
import { settleDeliveries, type AttemptResult } from "./settle-deliveries.ts";
import { describeForLog } from "../db/describe-for-log.ts";

const LAST_START_MS = 8_000;
// While lanes run, a claim without a nudge finds retries that have become due and events of other processes. Most such
// claims find nothing, and one costs as much as settling five deliveries.
const LOOK_MS = 50;
// A lane may run for eight seconds. Its endpoint may be disabled, deleted or changed meanwhile.
const RECHECK_MS = 250;
// A clean stop may take ten seconds. A receiver may take as long to answer, so it is cut off earlier.
const STOP_MS = 5_000;

/**
 * Delivers webhooks, with one lane per endpoint. A slow or dead endpoint holds up only its own lane. All lanes share
 * one database transaction at a time, a turn: it settles the answers, gives back the endpoints of ended lanes, and
 * claims due deliveries. A failing endpoint gets one delivery at a time until a 2xx, and rests longer and longer before
 * each (contract §5). After a crash nothing needs repair: leases end, and a delivery without a recorded attempt is sent
 * again with the same `webhook-id`. The lane of an endpoint that is disabled or deleted, or gets another address or
 * secret, begins nothing more from the next check on (four a second).
 */
export interface DeliveryLanes {
  /** Settles what was answered, claims what is due, and returns how many lanes it started. */
  turn(): Promise<number>;
  readonly running: number;
  /** The number of attempts settled since the last call. */
  takeSettled(): number;
  /** Resolves when there is an answer to settle or a lane to give back, and at once when no lane runs. */
  news(): Promise<void>;
  /**
   * Starts no more requests, and resolves when all lanes have ended. Requests without an answer after five seconds are
   * cut off and not counted. They are sent again after the restart.
   */
  stop(): Promise<void>;
}

type LaneContext = Pick<
  Context,
  "db" | "clock" | "ids" | "sealer" | "guardedHttp" | "log" | "wake" | "life"
>;

/** Whether the database refuses the values themselves (SQLSTATE 22 and 23), so that another try is useless. */
function isRefused(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? "");
}

/**
 * Does what a turn does in the database: one transaction with two round trips. What failures require takes more round
 * trips, beside the claim. With `wanted` null nothing is claimed. `heads`: the endpoints to be checked for changes.
 */
async function commitTurn(
  context: LaneContext,
  results: readonly AttemptResult[],
  over: readonly Lane[],
  wanted: (() => ReturnType<LanePlaces["wanted"]>) | null,
  heads: readonly LaneHead[] = [],
) {
  const now = context.clock.now();
  const leaseUntil = new Date(now.getTime() + ENDPOINT_LEASE_MS);
  const by = context.life.id;
  const { claimed, changed } = await context.db.transaction(async (tx: Tx) => {
    tx.later(byIndexAlone(tx));
    // No turn waits for the disk. What a crash of the machine takes back is claimed and sent again.
    tx.later(tx.query(sql`set local synchronous_commit = off`));
    // The claim does not wait for what failures require: a failed endpoint rests or is still leased.
    const recorded = results.length > 0 ? settleDeliveries(context, tx, results) : undefined;
    const releases = over.map((lane) => ({
      workspaceId: lane.head.workspaceId,
      endpointId: lane.head.endpointId,
      leaseUntil: lane.leaseUntil,
      broken: lane.broken,
    }));
    if (releases.length > 0) tx.later(releaseLanes(tx, releases, now));
    const [lanes, others] = await Promise.all([
      wanted ? claimLanes(tx, { now, until: leaseUntil, by }, wanted()) : [],
      heads.length > 0 ? selectChanged(tx, heads) : new Set<string>(),
      recorded,
    ]);
    return { claimed: lanes, changed: others };
  });
  return { claimed, changed, leaseUntil, by };
}

/**
 * Settles one result at a time. A result that the database refuses fails alone. The others are recorded, and the
 * refused one is sent again when its lease ends.
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

/** Commits what was reported, and claims what is wanted. What could not be committed waits for the next turn. */
async function commitReports(
  context: LaneContext,
  reports: LaneReports,
  wanted: Parameters<typeof commitTurn>[3],
  heads: readonly LaneHead[],
) {
  const reported = reports.takeAll();
  const { ended } = reported;
  const results = reported.answers.map(({ result }) => result);
  try {
    const turn = await commitTurn(context, results, ended, wanted, heads).catch(
      async (error: unknown) => {
        if (!isRefused(error)) throw error;
        await settleOneByOne(context, results);
        return commitTurn(context, [], ended, null);
      },
    );
    return { ...reported, ...turn };
  } catch (error) {
    // The database is away or full: all of it is tried again. The number of each attempt prevents it from counting
    // twice.
    reports.putBack(reported);
    throw error;
  }
}

/** Makes the lanes of this process. None runs yet; see `DeliveryLanes`. */
export function createDeliveryLanes(
  context: LaneContext,
  { recheckMs = RECHECK_MS }: { readonly recheckMs?: number } = {},
): DeliveryLanes {
  const places = new LanePlaces();
  const halt = new AbortController();
  const reports = new LaneReports();
  let settled = 0;
  let stopping = false;
  /** The last claim: when it was, and how many nudges there had been. */
  let looked = { at: -Infinity, nudges: -1 };
  /** When the running lanes' endpoints were last checked for changes. */
  let checked = -Infinity;
  let last: Promise<unknown> = Promise.resolve();

  function startLanes({ claimed, leaseUntil, by }: Awaited<ReturnType<typeof commitTurn>>): void {
    const lastStart = leaseUntil.getTime() - ENDPOINT_LEASE_MS + LAST_START_MS;
    const { signal } = halt;
    const told: LaneOptions["told"] = (lane, result) => reports.add(lane, result);
    for (const { head, due } of claimed) {
      const window = head.failing ? 1 : places.windowOf(head.endpointId);
      const options = { head, due, leaseUntil, by, lastStart, window, signal, told };
      places.enter(startLane(context, options));
    }
    if (stopping) places.halt();
  }

  async function take(claim: boolean): Promise<number> {
    const now = { at: performance.now(), nudges: context.wake.nudges("deliveries") };
    const asked =
      reports.hasEnded ||
      places.running === 0 ||
      now.nudges !== looked.nudges ||
      now.at - looked.at >= LOOK_MS;
    const look = claim && !stopping && asked;
    const check = places.running > 0 && now.at - checked >= recheckMs;
    if (!look && !check && reports.empty) return 0;
    const wanted = look ? () => places.wanted(performance.now()) : null;
    const turned = await commitReports(context, reports, wanted, check ? places.heads : []);
    if (look) looked = now;
    if (check) checked = now.at;
    if (turned.changed.size > 0) places.halt(turned.changed);
    for (const lane of turned.ended) places.leave(lane);
    settled += turned.answers.length;
    for (const [lane, group] of Map.groupBy(turned.answers, (one) => one.lane))
      lane.settled(group.length);
    startLanes(turned);
    return turned.claimed.length;
  }

  /** Runs a turn after the one before it has ended. */
  function turn(claim = true): Promise<number> {
    const mine = last.then(() => take(claim));
    last = mine.catch(() => {});
    return mine;
  }

  async function news(): Promise<void> {
    if (!reports.empty || places.running === 0) return;
    await reports.next();
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
