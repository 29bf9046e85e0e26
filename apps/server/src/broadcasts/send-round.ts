import type { Context } from "../context.ts";
import { selectSendable, type BroadcastKey } from "./broadcast-store.ts";
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
 * does not keep a small one waiting. A batch that hangs at its provider holds up the round but not the others in it: they go on until it is
 * back. When `stopping`, no further batch begins. Gives how many recipients were taken on.
 */
export async function sendRound(
  context: Context,
  stopping: () => boolean = () => false,
): Promise<number> {
  const keys = await selectSendable(context.db, context.clock.now());
  const queue = new TurnQueue();
  for (let turn = 0; turn < PER_CAMPAIGN; turn++) for (const key of keys) queue.push(key);
  const end = performance.now() + ROUND_MS;
  let handled = 0;
  // Batches that began before the end of the round and are still under way.
  let early = 0;
  const line = async () => {
    for (let key = queue.shift(); key && !stopping(); key = queue.shift()) {
      const counts = performance.now() < end;
      if (counts) early++;
      const count = await turn(context, key);
      if (counts) early--;
      handled += count;
      if (count > 0 && (performance.now() < end || early > 0)) queue.push(key);
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_ALL, keys.length * PER_CAMPAIGN) }, line));
  return handled;
}

/** One campaign's trouble is its own: the others go on. */
async function turn(context: Context, key: BroadcastKey): Promise<number> {
  try {
    return await sendBatch(context, key);
  } catch (error) {
    context.log.error({ broadcastId: key.id, error: String(error) }, "campaign batch broke off");
    return 0;
  }
}
