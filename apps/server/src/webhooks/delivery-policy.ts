import { nextAttempt } from "./retry-schedule.ts";

/** What came of one attempt: a status, or the word for why there was none. */
export interface Attempt {
  readonly attemptedAt: Date;
  readonly statusCode: number | null;
  readonly failure: string | null;
}

export type DeliveryVerdict =
  | { readonly kind: "delivered" }
  | { readonly kind: "again"; readonly at: Date }
  | { readonly kind: "exhausted" };

/** Any 2xx acknowledges; everything else is tried again until the schedule ends (spec, Delivery and retry rules). */
export function judgeDelivery(
  attempt: Attempt,
  failuresBefore: number,
  random: () => number,
): DeliveryVerdict {
  if (isAcknowledged(attempt)) return { kind: "delivered" };
  const at = nextAttempt(failuresBefore + 1, attempt.attemptedAt, random);
  return at ? { kind: "again", at } : { kind: "exhausted" };
}

/** 2xx and nothing else: redirects are not followed, so one is no receipt (contract §5, Webhook delivery). */
export function isAcknowledged(attempt: Attempt): boolean {
  return attempt.statusCode !== null && attempt.statusCode >= 200 && attempt.statusCode <= 299;
}

/** Failures in a row, whatever the delivery, after which an endpoint is disabled (spec, Limits). */
export const DISABLE_AFTER = 20;
/** The counts at which admins are warned before that. */
const WARN_AT: readonly number[] = [10, 15];

export interface EndpointVerdict {
  readonly disable: boolean;
  /** The warning due, when the count passed one. */
  readonly warnAt: number | null;
}

/** What a rise of the count of failures in a row, from `before` to `after`, asks for. */
export function judgeEndpoint(before: number, after: number): EndpointVerdict {
  if (after >= DISABLE_AFTER) return { disable: true, warnAt: null };
  return {
    disable: false,
    warnAt: WARN_AT.findLast((count) => before < count && after >= count) ?? null,
  };
}

/**
 * An event that failed so often holds back the later ones of its message no longer: after its attempts at 0, 15 and 75
 * seconds. A receiver that was away for a minute gets everything in order; one that will never take an event gets the
 * others all the same, with a gap in their `sequence`.
 */
export const HOLDING_FAILURES = 3;

const FIRST_REST_MS = 1_000;
const SHORT_RESTS = 5;
const LONGEST_REST_MS = 120_000;

/**
 * How long an endpoint rests after the first to the nineteenth failure in a row: a second after each of the first five,
 * then twice as long each time, two minutes at most (contract §5, Webhook delivery). Twenty failures so take eighteen
 * minutes, and the restart of a receiver disables nothing.
 */
export const RESTS_MS: readonly number[] = Array.from({ length: DISABLE_AFTER - 1 }, (_, index) =>
  Math.min(FIRST_REST_MS * 2 ** Math.max(0, index + 1 - SHORT_RESTS), LONGEST_REST_MS),
);

/**
 * Lanes start no request that could outlive their lease (10 s each), then give the endpoint back. When a process is
 * killed, others free its endpoints (`free-endpoints.ts`); where they cannot see that, the lease ends.
 */
export const ENDPOINT_LEASE_MS = 20_000;
