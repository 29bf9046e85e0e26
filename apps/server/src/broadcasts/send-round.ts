import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import { selectSendable, type BroadcastKey } from "./broadcast-store.ts";
import { Rests } from "./rests.ts";
import { sendBatch } from "./send-batch.ts";
import { TurnQueue } from "./turn-queue.ts";

/** Batches of one campaign under way at once: one writes while the other waits for the provider. */
const PER_CAMPAIGN = 2;
/** Batches under way at once in this process. */
const IN_ALL = 16;
/** How long a round takes in further batches; then new campaigns get their turn. */
const ROUND_MS = 2_000;

/**
 * Gives every running campaign its turns, one batch each time round and workspace after workspace, so that a large one
 * does not keep a small one waiting. A batch that hangs at its provider holds up the round but not the others in it: they
 * go on until it is back. A campaign whose budget is spent rests until a batch's worth has come; `rests` outlives the
 * round. When `stopping`, no further batch begins. Gives how many recipients were taken on.
 */
export async function sendRound(
  context: Context,
  stopping: () => boolean = () => false,
  rests: Rests = new Rests(),
): Promise<number> {
  const keys = await selectSendable(context.db, context.clock.now());
  const queue = new TurnQueue();
  const resting: BroadcastKey[] = [];
  for (let turn = 0; turn < PER_CAMPAIGN; turn++) for (const key of keys) queue.push(key);
  const end = performance.now() + ROUND_MS;
  let handled = 0;
  let busy = 0;
  // Batches that began before the end of the round and are still under way.
  let early = 0;
  const goesOn = () => performance.now() < end || early > 0;

  /** Whose turn it is. While others are busy, who rests is waited for: its lines are not theirs. */
  const next = async (): Promise<BroadcastKey | undefined> => {
    for (;;) {
      for (const key of resting.splice(0))
        if (rests.has(key.id, context.clock.now())) resting.push(key);
        else queue.push(key);
      const key = queue.shift();
      if (key !== undefined || resting.length === 0 || busy === 0 || !goesOn()) return key;
      await sleep(rests.soonest(context.clock.now()) ?? 1);
    }
  };
  const line = async () => {
    for (let key = await next(); key && !stopping(); key = await next()) {
      if (rests.has(key.id, context.clock.now())) {
        resting.push(key);
        continue;
      }
      const counts = performance.now() < end;
      if (counts) early++;
      busy++;
      const count = await turn(context, key, rests);
      busy--;
      if (counts) early--;
      handled += count;
      if (count > 0 && goesOn()) queue.push(key);
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_ALL, keys.length * PER_CAMPAIGN) }, line));
  return handled;
}

/** One campaign's trouble is its own: the others go on. */
async function turn(context: Context, key: BroadcastKey, rests: Rests): Promise<number> {
  try {
    return await sendBatch(context, key, undefined, rests);
  } catch (error) {
    context.log.error({ broadcastId: key.id, error: String(error) }, "campaign batch broke off");
    return 0;
  }
}
