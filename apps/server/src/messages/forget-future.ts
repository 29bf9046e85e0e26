import type { Context } from "../context.ts";
import { MAX_WAIT_MS, MEDIA_LEASE_MS, UNKNOWN_MS } from "./dispatch-policy.ts";
import { forgetFuture } from "./outbox-store.ts";

/**
 * Replies that were accepted, tried or claimed while the machine's clock stood far ahead do not wait for that day: they
 * are due as if it were written now. Gives how many.
 */
export async function forgetFutureReplies(
  context: Pick<Context, "db" | "clock" | "wake">,
): Promise<number> {
  const count = await forgetFuture(context.db, context.clock.now(), {
    waitMs: MAX_WAIT_MS,
    leaseMs: MEDIA_LEASE_MS,
    unknownMs: UNKNOWN_MS,
  });
  if (count > 0) context.wake.nudge("messages");
  return count;
}
