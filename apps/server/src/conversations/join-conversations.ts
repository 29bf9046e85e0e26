import type { Tx } from "../db/database.ts";
import { leaveDesk } from "../desk/desk-gone.ts";
import type { Conversation, ShownConversation } from "./conversation.ts";
import { lockByThread, lockShown } from "./conversation-store.ts";
import { absorbThread, giveThread } from "./thread-store.ts";

/** Two conversations on one channel that become one. */
export interface JoiningConversations {
  readonly from: ShownConversation | null;
  readonly into: ShownConversation | null;
}

/** Locks the conversations of two contacts on a channel. */
export async function lockJoining(
  tx: Tx,
  key: { readonly workspaceId: string; readonly channelId: string },
  fromContactId: string,
  intoContactId: string,
): Promise<JoiningConversations> {
  const ids = [...new Set([fromContactId, intoContactId])];
  const rows = await lockByThread(
    tx,
    ids.map((contactId) => ({ ...key, contactId })),
  );
  const of = async (contactId: string) => {
    const row = rows.find((one) => one.contactId === contactId);
    return row ? lockShown(tx, key.workspaceId, row.id) : null;
  };
  return {
    from: fromContactId === intoContactId ? null : await of(fromContactId),
    into: await of(intoContactId),
  };
}

/** Gives the conversation to that contact. */
export function redirectThread(
  tx: Tx,
  conversation: Conversation,
  contactId: string,
  externalId: string,
): Promise<void> {
  return giveThread(tx, conversation, contactId, externalId);
}

/**
 * The messages of `from` must have been moved to `into` already. `from` is deleted, and its unread count and
 * labels are added to `into`.
 */
export async function absorbConversation(
  tx: Tx,
  from: ShownConversation,
  into: ShownConversation,
): Promise<ShownConversation> {
  leaveDesk(tx, from.workspaceId, [from.id]);
  await absorbThread(tx, from.workspaceId, from.id, into.id);
  return (await lockShown(tx, into.workspaceId, into.id)) ?? into;
}
