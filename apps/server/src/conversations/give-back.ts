import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { changeDesk } from "../desk/desk-change.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { ConversationStatus } from "../wire/words.ts";
import { audit } from "../workspaces/write-audit.ts";
import { conversationEvent } from "./conversation.ts";
import { unassign } from "./conversation-store.ts";

/** Conversations that one call gives back. */
const BATCH = 500;

/**
 * Takes conversations in these states from a member, at most 500: they have no assignee afterwards, receivers get
 * `conversation.updated`, and the audit names the actor. False while there may be more.
 */
export async function releaseConversations(
  actor: Actor,
  context: Pick<Context, "clock" | "ids" | "wake">,
  tx: Tx,
  whose: { readonly workspaceId: string; readonly memberId: string },
  statuses: readonly ConversationStatus[],
): Promise<boolean> {
  const { workspaceId, memberId } = whose;
  const given = await unassign(tx, workspaceId, memberId, statuses, BATCH);
  for (const { id } of given)
    await audit(actor, context, tx, workspaceId, {
      action: "conversation.assigned",
      subject: id,
      facts: { from: memberId, to: null },
    });
  await emitEvents(
    context,
    tx,
    given.map((conversation) => conversationEvent("conversation.updated", conversation, actor)),
  );
  changeDesk(
    tx,
    given.map((conversation) => ({ conversation })),
  );
  return given.length < BATCH;
}
