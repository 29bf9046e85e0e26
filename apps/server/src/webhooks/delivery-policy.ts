import { nextAttempt } from "./retry-schedule.ts";

/** The result of one attempt: a status, or the kind of failure when there was none. */
export interface Attempt {
  readonly attemptedAt: Date;
  readonly statusCode: number | null;
  readonly failure: string | null;
}

export type DeliveryVerdict =
  | { readonly kind: "delivered" }
  | { readonly kind: "again"; readonly at: Date }
  | { readonly kind: "exhausted" };

/**
 * Decides what follows an attempt. Any 2xx acknowledges the delivery. Everything else is tried again until the schedule
 * ends (spec, Delivery and retry rules).
 */
export function judgeDelivery(
  attempt: Attempt,
  failuresBefore: number,
  random: () => number,
): DeliveryVerdict {
  if (isAcknowledged(attempt)) return { kind: "delivered" };
  const at = nextAttempt(failuresBefore + 1, attempt.attemptedAt, random);
  return at ? { kind: "again", at } : { kind: "exhausted" };
}

/**
 * Whether the receiver answered with a 2xx. A redirect is not followed, so it acknowledges nothing (contract §5,
 * Webhook delivery).
 */
export function isAcknowledged(attempt: Attempt): boolean {
  return attempt.statusCode !== null && attempt.statusCode >= 200 && attempt.statusCode <= 299;
}

/** The number of failures in a row, over all deliveries, that disables an endpoint (spec, Limits). */
export const DISABLE_AFTER = 20;
/** Before that, admins are warned at these counts. */
const WARN_AT: readonly number[] = [10, 15];

export interface EndpointVerdict {
  readonly disable: boolean;
  /** The count to warn of, when it was just passed. */
  readonly warnAt: number | null;
}

/** What must follow when the count of failures in a row rises from `before` to `after`. */
export function judgeEndpoint(before: number, after: number): EndpointVerdict {
  if (after >= DISABLE_AFTER) return { disable: true, warnAt: null };
  return {
    disable: false,
    warnAt: WARN_AT.findLast((count) => before < count && after >= count) ?? null,
  };
}

/**
 * How many failures of an event hold back the later events of its message: its attempts at 0, 15 and 75 seconds. So a
 * receiver that was away for a minute gets everything in order. One that never accepts an event gets the later ones all
 * the same, with a gap in their `sequence`.
 */
export const HOLDING_FAILURES = 3;

const FIRST_REST_MS = 1_000;
const SHORT_RESTS = 5;
const LONGEST_REST_MS = 120_000;

/**
 * How long an endpoint rests after the first to the nineteenth failure in a row. It is one second after each of the
 * first five, then twice as long each time, up to two minutes (contract §5, Webhook delivery). So twenty failures take
 * eighteen minutes, and the restart of a receiver disables nothing.
 */
export const RESTS_MS: readonly number[] = Array.from({ length: DISABLE_AFTER - 1 }, (_, index) =>
  Math.min(FIRST_REST_MS * 2 ** Math.max(0, index + 1 - SHORT_RESTS), LONGEST_REST_MS),
);

/**
 * Milliseconds. A lane starts no request (10 s each) that could outlive its lease, then gives the endpoint back. When a
 * process is killed, others free its endpoints (`free-endpoints.ts`). Where they cannot see that, the lease ends.
 */
export const ENDPOINT_LEASE_MS = 20_000;
