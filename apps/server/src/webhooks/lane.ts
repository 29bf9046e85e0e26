import type { Context } from "../context.ts";
import { deliver, openEndpointSecrets, type EndpointSecrets } from "./deliver.ts";
import type { DueRow, LaneHead } from "./delivery-store.ts";
import type { AttemptResult } from "./settle-deliveries.ts";
import { describeForLog } from "../db/describe-for-log.ts";

const MAX_WINDOW = 16;
// The most results of an endpoint that wait for their commit: a crash sends at most these a second time.
const MAX_UNSETTLED = 128;
/** A lane that waits this long for an answer no longer takes a place. */
const STUCK_MS = 1_000;

export interface LaneOptions {
  readonly head: LaneHead;
  readonly due: readonly DueRow[];
  readonly leaseUntil: Date;
  /** The id of the process that holds the lease. Once this process has another id, others may free the endpoint. */
  readonly by: string;
  /** The last time at which a request may begin, in milliseconds since 1970. */
  readonly lastStart: number;
  /** How many requests may be under way at first. */
  readonly window: number;
  readonly signal: AbortSignal;
  /** Called after each attempt, and with null at the lane's end: then no request is under way and none will begin. */
  readonly told: (lane: Lane, result: AttemptResult | null) => void;
}

/** The sending to one endpoint under one lease. */
export interface Lane {
  readonly head: LaneHead;
  readonly leaseUntil: Date;
  readonly window: number;
  /** True after a failure. */
  readonly broken: boolean;
  /** How many deliveries were claimed, and whether all were begun. */
  readonly taken: number;
  readonly drained: boolean;
  /** Whether it has waited long for its receiver at `now` (in `performance.now()`). */
  stuck(now: number): boolean;
  /** Reports that so many of its results were committed. */
  settled(count: number): void;
  /** Begins nothing more. */
  halt(): void;
}

/**
 * Sends an endpoint's due deliveries. The number of requests under way begins at `window` and grows with each 2xx, up
 * to 16. An answer frees its place at once, whether or not it is committed yet. The first failure ends the lane: the
 * endpoint then gets one delivery at a time until a 2xx (contract §5).
 */
export function startLane(
  context: Pick<Context, "clock" | "sealer" | "guardedHttp" | "log" | "life">,
  options: LaneOptions,
): Lane {
  const { head, due, leaseUntil, by, lastStart, signal, told } = options;
  const { workspaceId, endpointId } = head;
  let { window } = options;
  let next = 0;
  let inAir = 0;
  let unsettled = 0;
  let broken = false;
  /**
   * True when a failure was counted since the last 2xx. Other requests that were under way with it report the same
   * failure.
   */
  let counted = false;
  let over = false;
  let ended = false;
  let answered = performance.now();
  let secrets: EndpointSecrets;

  const lane: Lane = {
    head,
    leaseUntil,
    taken: due.length,
    get window() {
      return window;
    },
    get broken() {
      return broken;
    },
    get drained() {
      return next === due.length;
    },
    stuck: (now) => inAir > 0 && now - answered > STUCK_MS,
    settled(count) {
      unsettled -= count;
      fill();
    },
    halt() {
      over = true;
      fill();
    },
  };

  async function one(row: DueRow): Promise<void> {
    const result = await deliver(context, head, row, secrets, signal);
    answered = performance.now();
    if (!result) return;
    unsettled++;
    const counts = result.failure !== null && !counted;
    counted = result.failure !== null;
    if (counted) broken = true;
    else if (window < MAX_WINDOW) window++;
    told(lane, { ...result, counts });
  }

  function fill(): void {
    while (inAir < window && unsettled + inAir < MAX_UNSETTLED && !broken && !over) {
      const row = due[next];
      if (!row || context.clock.now().getTime() > lastStart || context.life.id !== by) {
        over = true;
        break;
      }
      next++;
      inAir++;
      one(row).catch(crashed).finally(landed);
    }
    if (inAir > 0 || ended || !(broken || over)) return;
    ended = true;
    told(lane, null);
  }
  function landed(): void {
    inAir--;
    fill();
  }
  function crashed(error: unknown): void {
    broken = true;
    context.log.error({ ...describeForLog(error), workspaceId, endpointId }, "webhook lane failed");
  }

  // One turn later, so that the caller knows the lane by then.
  queueMicrotask(() => {
    try {
      secrets = openEndpointSecrets(context, head);
    } catch (error) {
      crashed(error);
    }
    fill();
  });
  return lane;
}
