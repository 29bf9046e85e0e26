import type { Context } from "../context.ts";
import { lockForRemoval, removeLocked } from "../workspaces/change-member.ts";
import type { Member } from "../workspaces/member.ts";
import { CONVERSATION_STATUSES } from "../wire/words.ts";
import { write } from "../write.ts";
import { releaseConversations } from "./give-back.ts";

/**
 * Removes a person from the workspace and frees the seat. The person's conversations are unassigned
 * (`releaseConversations`); the person's messages stay. After an interruption, calling it again finishes the work.
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
        const whose = { workspaceId, memberId };
        if (!(await releaseConversations(actor, context, tx, whose, CONVERSATION_STATUSES)))
          return null;
        await removeLocked(actor, context, tx, member);
        return member;
      });
      if (removed) return removed;
    }
  },
);
