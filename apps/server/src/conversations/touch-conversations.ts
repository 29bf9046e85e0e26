import type { Tx } from "../db/database.ts";
import type { Context } from "../context.ts";
import type { Conversation, ShownConversation } from "./conversation.ts";
import {
  lockById,
  markInbound,
  markOutbound,
  moveThread,
  type InboundMark,
} from "./conversation-store.ts";

export { lockShown, type InboundMark } from "./conversation-store.ts";

/**
 * Locks conversations by (workspace, id), in id order, with the state of their channel (`disconnected` too when the
 * channel is gone). Ids that do not exist in that workspace are left out.
 */
export function lockConversations(
  tx: Tx,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<(Conversation & { channelStatus: string })[]> {
  return keys.length === 0 ? Promise.resolve([]) : lockById(tx, keys);
}

/**
 * A customer wrote. The unread count rises, the window is prolonged and never shortened, and a resolved or snoozed
 * conversation opens; an assignee who is away or disabled does not get it back. One mark per conversation; the
 * rows must be locked (`openConversations`). Returns the conversations as they are now, on request.
 */
export async function recordInbound(
  context: Pick<Context, "clock" | "wake">,
  tx: Tx,
  marks: readonly InboundMark[],
  wanted: boolean,
): Promise<ShownConversation[]> {
  if (marks.length === 0) return [];
  const marked = await markInbound(tx, marks, wanted, context.clock.now());
  // Where a live bot may answer, the statement has left a row for its worker.
  if (marked.some(({ asked }) => asked)) tx.afterCommit(() => context.wake.nudge("bots"));
  return wanted ? marked : [];
}

/** We wrote: the last time advances. The rows must be locked. */
export function recordOutbound(
  tx: Tx,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
  at: Date,
): Promise<void> {
  if (keys.length > 0) tx.later(markOutbound(tx, keys, at));
  return Promise.resolve();
}

/** Replies of a contact's conversation on a channel go to its new id there. */
export function redirectConversation(
  tx: Tx,
  key: { readonly workspaceId: string; readonly channelId: string; readonly contactId: string },
  toExternalId: string,
): Promise<void> {
  return moveThread(tx, key, toExternalId);
}
