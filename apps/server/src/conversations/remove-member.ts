import type { Context } from "../context.ts";
import { changeDesk } from "../desk/desk-change.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { lockForRemoval, removeLocked } from "../workspaces/change-member.ts";
import type { Member } from "../workspaces/member.ts";
import { conversationEvent } from "./conversation.ts";
import { unassign } from "./conversation-store.ts";
import { write } from "../write.ts";

/** Conversations that one transaction gives back. */
const BATCH = 500;

/**
 * Removes a person from the workspace and frees the seat. The person's conversations are unassigned
 * (`conversation.updated`); the person's messages stay. After an interruption, calling it again finishes the work.
 * Throws NOT_FOUND, NOT_ALLOWED_IN_STATE for the last owner.
 */
export const removeMember = write(
  "member.remove",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "wake">,
    workspaceId: string,
    memberId: string,
  ): Promise<Member> => {
    for (;;) {
      const removed = await context.db.transaction(async (tx) => {
        const member = await lockForRemoval(actor, tx, workspaceId, memberId);
        const given = await unassign(tx, workspaceId, memberId, BATCH);
        await emitEvents(
          context,
          tx,
          given.map((conversation) => conversationEvent("conversation.updated", conversation)),
        );
        changeDesk(
          tx,
          given.map((conversation) => ({ conversation })),
        );
        if (given.length === BATCH) return null;
        await removeLocked(actor, context, tx, member);
        return member;
      });
      if (removed) return removed;
    }
  },
);
