import { splitText } from "../channels/split-text.ts";
import type { TextLimit } from "../channels/adapter.ts";
import type { Context } from "../context.ts";
import { LEASE_MS } from "./dispatch-policy.ts";
import { lockOutbound } from "./message-store.ts";
import { beginCalls, deleteOutbox, type ClaimedReply } from "./outbox-store.ts";
import { callNextPart, insertParts } from "./part-store.ts";

/**
 * Commits the intent to send the next part of a long reply, and cuts the reply into parts the first time. A claim
 * sends one part; the settlement puts the reply back into its lane while parts wait, so that a crash between two parts
 * continues with the one that was not begun. Null: nothing to send, the claim is no longer ours.
 */
export function startPart(
  context: Pick<Context, "db" | "clock">,
  reply: ClaimedReply,
  limit: TextLimit,
): Promise<{ readonly number: number; readonly text: string } | null> {
  return context.db.transaction(async (tx) => {
    // Messages before their outbox, as everywhere.
    const [message] = await lockOutbound(tx, [reply]);
    const now = context.clock.now();
    const mine = await beginCalls(tx, [reply], now, new Date(now.getTime() + LEASE_MS));
    if (mine.size === 0 || !message) return null;
    if ((message.partCount ?? null) === null)
      await insertParts(tx, reply, splitText(reply.text ?? "", limit));
    const part = await callNextPart(tx, reply);
    if (part === null) await deleteOutbox(tx, [reply]);
    return part;
  });
}
