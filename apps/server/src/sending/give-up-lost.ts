import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { NewEvent } from "../webhooks/event.ts";

/** The code of a message whose answer was lost, and for which no evidence came in time. */
export const OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN";
/** How long we wait for evidence (contract §5, Recipients). */
export const EVIDENCE_WAIT_MS = 15 * 60_000;

const AT_ONCE = 500;

/** The error of a message that is given up. */
interface GivenUp {
  readonly status: "failed";
  readonly at: Date;
  readonly providerMessageId: null;
  readonly errorCode: string;
  readonly errorMessage: string;
}

/** The open calls of one queue. */
interface OpenCalls<Call> {
  /** Up to `limit` calls that have waited long enough for evidence. */
  select(tx: Tx, now: Date, limit: number): Promise<readonly Call[]>;
  /** Fails the messages and clears their places in the queue, unless evidence came since. Returns the events. */
  fail(tx: Tx, calls: readonly Call[], word: GivenUp): Promise<readonly NewEvent[]>;
}

/**
 * Gives up calls that lost their answer and got no report from the provider within 15 minutes. They fail as
 * `OUTCOME_UNKNOWN` and are not sent again, because they may have arrived. Returns how many it looked at.
 */
export function giveUpLost<Call>(context: Context, queue: OpenCalls<Call>): Promise<number> {
  return context.db.transaction(async (tx) => {
    const at = context.clock.now();
    const calls = await queue.select(tx, at, AT_ONCE);
    if (calls.length === 0) return 0;
    const errorMessage =
      "The platform did not answer the send, and has not reported on it since. It may have arrived.";
    const word = { status: "failed", at, providerMessageId: null } as const;
    const events = await queue.fail(tx, calls, {
      ...word,
      errorCode: OUTCOME_UNKNOWN,
      errorMessage,
    });
    await emitEvents(context, tx, events);
    return calls.length;
  });
}
