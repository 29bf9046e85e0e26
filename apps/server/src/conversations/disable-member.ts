import type { Context } from "../context.ts";
import { endSessionsOf } from "../sessions/manage-member.ts";
import { changeDisabled, type MemberDisabling } from "../workspaces/change-member.ts";
import type { Member } from "../workspaces/member.ts";
import { write } from "../write.ts";
import { releaseConversations } from "./give-back.ts";

/**
 * Disables a member, who is signed out at once and cannot sign in here; or enables them again. The open conversations
 * of a disabled member return to *Unassigned* in the same transaction: nobody would see that their customers wait.
 * Throws NOT_FOUND, LAST_OWNER, SEAT_LIMIT_REACHED, FORBIDDEN for an admin who acts on an owner.
 */
export const setDisabled = write(
  "member.disable",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "wake">,
    which: MemberDisabling,
  ): Promise<Member> =>
    context.db.transaction(async (tx) => {
      const member = await changeDisabled(actor, context, tx, which);
      if (which.disabled) {
        await endSessionsOf(tx, which);
        let done = false;
        while (!done) done = await releaseConversations(actor, context, tx, which, ["open"]);
      }
      return member;
    }),
);
