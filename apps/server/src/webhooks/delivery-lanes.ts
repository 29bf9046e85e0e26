import type { Context } from "../context.ts";
import { deliver, openSecrets } from "./deliver.ts";
import { REST_AFTER_FAILURE_MS } from "./delivery-policy.ts";
import { claimLanes, releaseLanes, type LaneRow } from "./delivery-store.ts";
import { settleDeliveries } from "./settle-deliveries.ts";

// A lane starts no request that could outlive its lease (10 s each), then gives the endpoint back and claims it anew:
// when a process is killed, its endpoints wait 20 s at the most.
const LEASE_MS = 20_000;
const LAST_START_MS = 8_000;
// Lanes only wait for their receivers: hundreds of dead ones cost sockets, not time of others.
const MAX_LANES = 512;
const BATCH = 200;
// Below twenty, so that requests in the air when an endpoint dies cannot disable it by themselves. A request's place is
// taken again only when its result is committed: letting the next go before that was no faster (3,300 a second both).
const MAX_WINDOW = 16;
// A clean stop takes ten seconds at most, and a receiver may take as long as that to answer.
const STOP_MS = 5_000;

/**
 * Delivers webhooks, one lane per endpoint, lanes independent of each other: a slow or dead endpoint holds up its own
 * lane alone. Within a lane the number of requests in the air starts at one and grows with each 2xx to 16; the first
 * failure ends the lane, the endpoint rests a moment and then gets one delivery at a time until a 2xx, so that a burst
 * cannot spend its twenty failures (contract §5). Nothing here is needed after a crash: leases end, and what had no
 * recorded attempt is sent again with the same `webhook-id`.
 */
export interface DeliveryLanes {
  /** Claims what is due, and gives how many lanes it started. */
  start(): Promise<number>;
  readonly running: number;
  /** Attempts settled since the last call. */
  takeSettled(): number;
  /** Resolves when a lane ends; at once when none runs. */
  laneEnded(): Promise<void>;
  /**
   * Starts no request any more and resolves when all lanes ended. What got no answer after five seconds is cut off and
   * not counted: it is sent again after the restart.
   */
  stop(): Promise<void>;
}

type LaneContext = Pick<
  Context,
  "db" | "clock" | "ids" | "sealer" | "guardedHttp" | "groupCommit" | "log"
>;

export function createDeliveryLanes(context: LaneContext): DeliveryLanes {
  const lanes = new Set<Promise<void>>();
  // How many requests an endpoint took at once, remembered from lane to lane.
  const windows = new Map<string, number>();
  let settled = 0;
  let stopping = false;
  const halt = new AbortController();

  async function run(rows: readonly LaneRow[], leaseUntil: Date): Promise<void> {
    const [first] = rows;
    if (!first) return;
    const { workspaceId, endpointId } = first;
    const lastStart = leaseUntil.getTime() - LEASE_MS + LAST_START_MS;
    let failed = first.failing;
    let broken = false;
    let next = 0;
    let window = first.failing ? 1 : (windows.get(endpointId) ?? 1);
    let inAir = 0;
    try {
      const secrets = openSecrets(context, first);
      await new Promise<void>((resolve, reject) => {
        const one = async (row: LaneRow) => {
          const result = await deliver(context, row, secrets, halt.signal);
          if (!result) return;
          if (result.failure !== null) broken = true;
          const state = await context.groupCommit.submit(settleDeliveries, result);
          settled++;
          failed = state.failures > 0 || state.disabled;
          if (result.failure === null && window < MAX_WINDOW) window++;
        };
        const fill = () => {
          while (inAir < window && next < rows.length && !broken && !stopping) {
            if (context.clock.now().getTime() > lastStart) break;
            const row = rows[next++];
            if (!row) break;
            inAir++;
            one(row).then(() => {
              inAir--;
              fill();
            }, reject);
          }
          if (inAir === 0) resolve();
        };
        fill();
      });
    } catch (error) {
      failed = true;
      context.log.error({ error: String(error), workspaceId, endpointId }, "webhook lane failed");
    }
    if (failed || windows.size > 10_000) windows.delete(endpointId);
    else windows.set(endpointId, window);
    const rest = context.clock.now().getTime() + REST_AFTER_FAILURE_MS;
    const restUntil = failed ? new Date(rest) : null;
    await releaseLanes(context.db, [{ workspaceId, endpointId, leaseUntil, restUntil }]);
  }

  return {
    get running() {
      return lanes.size;
    },
    takeSettled() {
      const count = settled;
      settled = 0;
      return count;
    },
    async start() {
      const free = MAX_LANES - lanes.size;
      if (free <= 0 || stopping) return 0;
      const now = context.clock.now();
      const leaseUntil = new Date(now.getTime() + LEASE_MS);
      const rows = await claimLanes(context.db, now, leaseUntil, free, BATCH);
      const groups = Map.groupBy(rows, (row) => row.endpointId);
      for (const group of groups.values()) {
        const lane = run(group, leaseUntil)
          .catch((error: unknown) =>
            context.log.error({ error: String(error) }, "webhook lane not released"),
          )
          .finally(() => lanes.delete(lane));
        lanes.add(lane);
      }
      return groups.size;
    },
    laneEnded: () => Promise.race([...lanes, ...(lanes.size === 0 ? [Promise.resolve()] : [])]),
    async stop() {
      stopping = true;
      const late = setTimeout(() => halt.abort(), STOP_MS);
      await Promise.all(lanes);
      clearTimeout(late);
    },
  };
}
