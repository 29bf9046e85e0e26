import type { Context } from "../context.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { beginCalls } from "./begin-calls.ts";
import { selectBroadcast, type BroadcastKey } from "./broadcast-store.ts";
import { haltBroadcast } from "./halt-broadcast.ts";
import { makeCalls, type Answered } from "./make-calls.ts";
import { settleCalls } from "./settle-calls.ts";
import { planBroadcast } from "./split-plan.ts";

/** Recipients per batch. */
export const BATCH = 256;

/**
 * One turn of a running campaign: begin, call, settle, the first and the last each in a transaction and the calls in
 * none (contract §5, Recipients). Gives how many recipients it took on; 0 when there was nothing to do now.
 */
export async function sendBatch(
  context: Context,
  key: BroadcastKey,
  limit: number = BATCH,
): Promise<number> {
  const found = await selectBroadcast(context.db, key.workspaceId, key.id);
  if (found?.status !== "RUNNING") return 0;
  const plan = await planBroadcast(context, found, "send");
  if ("wait" in plan) return 0;
  if ("stop" in plan) {
    await context.db.transaction(async (tx) =>
      emitEvents(context, tx, await haltBroadcast(context, tx, key, plan.stop)),
    );
    return 1;
  }
  const begun = await beginCalls(context, key, plan, limit);
  if (begun.kind === "nothing") return 0;
  if (begun.kind === "completed") return 1;
  const { broadcast, calls, flightId, skipped } = begun;
  // Of a call that was not simply sent it is looked whether its recipient is still in the air.
  let certain = true;
  await makeCalls(
    context,
    plan,
    calls,
    async (answers, last) => {
      const end = last ? { flightId, certain: certain && allSent(answers) } : null;
      await settleCalls(context, broadcast, answers, plan.headerOf, end);
      certain &&= allSent(answers);
    },
    async () => (await selectBroadcast(context.db, key.workspaceId, key.id))?.status !== "RUNNING",
  );
  return calls.length + skipped;
}

const allSent = (answers: readonly Answered[]): boolean =>
  answers.every(({ outcome }) => outcome?.ok === true);
