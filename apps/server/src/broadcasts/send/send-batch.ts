import type { Context } from "../../context.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { beginBatch, complete, takePlaces, type Begun } from "./begin-batch.ts";
import { selectBroadcast, type BroadcastKey } from "../record/broadcast-store.ts";
import { haltBroadcast } from "../record/halt-broadcast.ts";
import { intendCalls } from "./flight-store.ts";
import { makeCalls, type Answered } from "./make-calls.ts";
import { batchOf } from "./pace.ts";
import type { Rests } from "./rests.ts";
import { settleBatch } from "./settle-batch.ts";
import { planBroadcast, type SendPlan } from "./plan-sending.ts";
import { uploadHeaders } from "./upload-headers.ts";

/** Gives a campaign its turns, and learns how they went. */
export interface Turns {
  /** Where it is recorded that the pace allows no more. */
  readonly rests: Rests;
  /**
   * This many calls are about to be made; `next`: another batch may find recipients at once, or when its places
   * come.
   */
  begun(calls: number, next: "at once" | "rests" | "none"): void;
  /** `taken`: the provider accepted some of them; `last`: no call is open any more. */
  answered(taken: boolean, last: boolean): void;
}

/**
 * One turn of a running campaign: begin, call, settle; the first and the last each in a transaction and the calls
 * in none (contract §5, Recipients). Gives how many recipients it claimed; 0 when there was nothing to do now.
 */
export async function sendBatch(
  context: Context,
  key: BroadcastKey,
  limit?: number,
  turns?: Turns,
): Promise<number> {
  const found = await selectBroadcast(context.db, key.workspaceId, key.id);
  if (found?.status !== "RUNNING") return 0;
  const planned = await planBroadcast(context, found);
  const plan = "stop" in planned ? planned : await uploadHeaders(context, planned);
  if ("wait" in plan) return 0;
  if ("stop" in plan) return stopBatch(context, key, plan.stop);
  const most = limit ?? batchOf(found.rateLimitPerMinute);
  const begun = await beginBatch(context, key, plan, most, (lost) => takeBack(context, plan, lost));
  if (begun.kind === "nothing") return 0;
  if (begun.kind === "completed") return 1;
  if (begun.kind !== "begun") {
    if (begun.kind === "yields") turns?.rests.yield(key.id, context.clock.now());
    else turns?.rests.begin(key.id, begun.restsUntil);
    return 0;
  }
  const { broadcast, calls, flightId, skipped, restsUntil } = begun;
  if (restsUntil !== null) turns?.rests.begin(key.id, restsUntil);
  const full = calls.length + skipped >= most;
  turns?.begun(calls.length, restsUntil !== null ? "rests" : full ? "at once" : "none");
  // As long as every call was sent, no recipient of the batch can still be sending.
  let certain = true;
  await makeCalls(
    context,
    plan,
    calls,
    async (answers, last) => {
      const end = last ? { flightId, certain: certain && allSent(answers) } : null;
      const took = answers.some(({ outcome }) => outcome?.ok);
      turns?.answered(took, last);
      const isTaking = turns?.rests.isTaking(key.id, context.clock.now()) ?? took;
      await settleBatch(context, broadcast, answers, plan, { end, isTaking });
      certain &&= allSent(answers);
    },
    {
      stopped: async () =>
        (await selectBroadcast(context.db, key.workspaceId, key.id))?.status !== "RUNNING",
      takePlaces: (count) => takePlaces(context, key, plan, count),
      intend: (upTo) => intendCalls(context.db, key, flightId, upTo),
    },
  );
  return calls.length + skipped;
}

/** Pauses a campaign that cannot send. Without waiting recipients it completes, or waits for its last answers. */
function stopBatch(context: Context, key: BroadcastKey, reason: string): Promise<number> {
  return context.db.transaction(async (tx) => {
    const events = await haltBroadcast(context, tx, key, reason);
    await emitEvents(context, tx, events);
    if (events.length > 0) return 1;
    const { kind } = await complete(context, tx, key, context.clock.now());
    return kind === "completed" ? 1 : 0;
  });
}

/** Puts back the recipients of a batch that may be committed and will not be called; else they would end as unknown. */
async function takeBack(context: Context, plan: SendPlan, lost: Begun): Promise<void> {
  if (lost.kind !== "begun") return;
  const { broadcast, calls, flightId } = lost;
  const uncalled = calls.map((call) => ({ call, outcome: null }));
  // Makes no calls, and settles again and again until the database is back.
  await makeCalls(context, plan, [], () =>
    settleBatch(context, broadcast, uncalled, plan, { end: { flightId, certain: false } }),
  );
}

const allSent = (answers: readonly Answered[]): boolean =>
  answers.every(({ outcome }) => outcome?.ok === true);
