import type { Context } from "../context.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { beginCalls } from "./begin-calls.ts";
import type { BroadcastKey } from "./broadcast-store.ts";
import { claimRecipients } from "./claim-recipients.ts";
import { haltBroadcast } from "./halt-broadcast.ts";
import { makeCalls } from "./make-calls.ts";
import { planSending } from "./plan-sending.ts";
import { putBack } from "./recipient-store.ts";
import { settleCalls } from "./settle-calls.ts";

/** Recipients per batch. */
export const BATCH = 256;

/**
 * One turn of a running campaign: claim, begin, call, settle, each in its own transaction and the calls in none
 * (contract §5, Recipients). Gives how many recipients it took on; 0 when there was nothing to do now.
 */
export async function sendBatch(
  context: Context,
  key: BroadcastKey,
  limit: number = BATCH,
): Promise<number> {
  const claimed = await claimRecipients(context, key, limit);
  if (claimed.kind === "nothing") return 0;
  if (claimed.kind === "completed") return 1;
  const { broadcast, claims } = claimed;
  const plan = await planSending(context, broadcast);
  if ("stop" in plan) {
    await context.db.transaction(async (tx) => {
      const items = claims.map((claim) => ({ claim, availableAt: null, tried: false }));
      await putBack(tx, broadcast, items);
      await emitEvents(context, tx, await haltBroadcast(context, tx, broadcast, plan.stop));
    });
    return claims.length;
  }
  const calls = await beginCalls(context, broadcast, plan, claims);
  await makeCalls(context, plan, calls, (answers) => settleCalls(context, broadcast, answers));
  return claims.length;
}
