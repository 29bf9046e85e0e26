import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Conversation } from "../../conversations/conversation.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { updateConversation } from "../../conversations/update-conversation.ts";
import type { Tx } from "../../db/database.ts";
import { AppError, invalid } from "../../errors.ts";
import { MAX_ID, isId } from "../../lib/ids.ts";
import { permit } from "../../policies.ts";
import { markInboundRead, publishThreadChanges } from "./thread-store.ts";

/**
 * Notes that a person has read a conversation, up to a message or all of it. Its unread count becomes zero
 * (`conversation.updated`), the customer's messages get their time of reading, and a visitor of web chat sees it.
 * Calling it again changes nothing. Throws FORBIDDEN before anything is marked, NOT_FOUND, VALIDATION_FAILED.
 */
export async function markRead(
  actor: Actor,
  context: Context,
  workspaceId: string,
  conversationId: string,
  upTo?: string,
): Promise<Conversation> {
  permit(actor, "conversation.update");
  if (upTo !== undefined && !isId(upTo)) throw invalid("upTo", "must be a message's id");
  await context.db.transaction(async (tx) => {
    const [row] = isId(conversationId)
      ? await lockConversations(tx, [{ workspaceId, id: conversationId }])
      : [];
    if (!row) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
    await markMessagesRead(context, tx, row, upTo);
  });
  return updateConversation(actor, context, workspaceId, conversationId, { read: true });
}

/** Gives the customer's messages of a locked conversation their time of reading; a visitor of web chat sees it. */
export async function markMessagesRead(
  context: Pick<Context, "clock" | "topics">,
  tx: Tx,
  { workspaceId, id: conversationId, channelType }: Conversation,
  upTo: string = MAX_ID,
): Promise<void> {
  const at = context.clock.now();
  const ids = await markInboundRead(tx, workspaceId, conversationId, upTo, at);
  const changes = ids.map((id) => ({ workspaceId, conversationId, channelType, id }));
  await publishThreadChanges(context, tx, changes);
}
