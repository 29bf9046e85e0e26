import type { Context } from "../context.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { CALL_LOST_MS, otpEvent } from "./otp-record.ts";
import { markLost } from "./otp-store.ts";

/**
 * Marks up to `limit` calls whose process died as `unknown` (contract §5, OTP). Gives how many. None is sent again,
 * because no text is kept.
 */
export function sweepOtp(
  context: Pick<Context, "db" | "clock" | "ids" | "wake">,
  limit: number,
): Promise<number> {
  return context.db.transaction(async (tx) => {
    const at = context.clock.now();
    const lost = await markLost(tx, new Date(at.getTime() - CALL_LOST_MS), at, limit);
    await emitEvents(
      context,
      tx,
      lost.map((record) => otpEvent(record, "calling", at)),
    );
    return lost.length;
  });
}
