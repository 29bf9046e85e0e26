import type { Context } from "../context.ts";
import { deliver, openEndpointSecrets, type EndpointSecrets } from "./deliver.ts";
import type { DueRow, LaneHead } from "./delivery-store.ts";
import type { AttemptResult } from "./settle-deliveries.ts";
import { describeForLog } from "../db/describe-for-log.ts";

const MAX_WINDOW = 16;
// Results of one endpoint that wait for their commit: what a crash sends a second time at the most.
const MAX_UNSETTLED = 128;
/** A lane without an answer for so long is no longer counted among those that get on. */
const STUCK_MS = 1_000;

export interface LaneOptions {
  readonly head: LaneHead;
  readonly due: readonly DueRow[];
  readonly leaseUntil: Date;
  /** The process that holds the lease. Once this process goes by another id, others may free the endpoint. */
  readonly by: string;
  /** No request begins later. */
  readonly lastStart: number;
  /** How many requests it had in the air at last. */
  readonly window: number;
  readonly signal: AbortSignal;
  /** Hears of each attempt, and of the lane's end with null: then nothing is in the air and nothing will be begun. */
  readonly told: (lane: Lane, result: AttemptResult | null) => void;
}

/** What is sent to one endpoint under one lease. */
export interface Lane {
  readonly head: LaneHead;
  readonly leaseUntil: Date;
  readonly window: number;
  /** A failure was met. */
  readonly broken: boolean;
  /** How much was claimed, and whether all of it was sent. */
  readonly taken: number;
  readonly drained: boolean;
  /** It waits for a receiver that takes long. */
  stuck(now: number): boolean;
  /** So many of its results were committed. */
  settled(count: number): void;
  /** Begins nothing more. */
  halt(): void;
}

/**
 * Sends what an endpoint has due. The number of requests in the air starts at `window` and grows with each 2xx to 16;
 * a request's place is taken again as soon as it is answered, whether or not that is committed. The first failure ends
 * the lane: the endpoint then gets one delivery at a time until a 2xx (contract §5).
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
  /** A failure was counted since the last 2xx: those that were in the air beside it say the same once more. */
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

  // Not before the caller knows the lane.
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
