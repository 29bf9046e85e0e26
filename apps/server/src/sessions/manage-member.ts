import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { NIL_ID } from "../lib/ids.ts";
import { writePasswordHash } from "../logins/login.ts";
import { checkedPassword, hashPassword } from "../logins/password.ts";
import { findReset, useReset } from "../logins/password-reset.ts";
import { countLinkTry } from "../logins/prove-login.ts";
import { maySetPassword, permitRole } from "../workspaces/change-member.ts";
import { listMembers, membersOfLogin } from "../workspaces/list-members.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import { deleteSessions, deleteSessionsOfLogin } from "./session-store.ts";

/** Ends all sessions of a member. */
export const endSessionsOf = (
  tx: Tx,
  { workspaceId, memberId }: { readonly workspaceId: string; readonly memberId: string },
): Promise<number> => deleteSessions(tx, workspaceId, memberId, { but: NIL_ID });

/**
 * Signs a member out everywhere. Gives how many sessions ended. Throws NOT_FOUND, FORBIDDEN for an admin who acts
 * on an owner.
 */
export const endMemberSessions = write(
  "member.end_sessions",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    workspaceId: string,
    memberId: string,
  ): Promise<number> =>
    context.db.transaction(async (tx) => {
      const member = (await listMembers(tx, workspaceId)).find(({ id }) => id === memberId);
      if (!member) throw new AppError("NOT_FOUND");
      permitRole(actor, member.role);
      const ended = await deleteSessions(tx, workspaceId, memberId, { but: NIL_ID });
      await audit(actor, context, tx, workspaceId, {
        action: "member.sessions_ended",
        subject: memberId,
        facts: { ended },
      });
      return ended;
    }),
);

/** `network` is the client's (`clientAddress`). */
export interface ResetUse {
  readonly secret: string;
  readonly password: string;
  readonly network: string;
}

/**
 * Sets the password of the person with a reset link, which works once, and ends all of their sessions. Throws
 * NOT_FOUND for a used or expired link and for one whose maker may not open this login any more, VALIDATION_FAILED when the password has fewer than 10 characters, RATE_LIMITED
 * after too many tries.
 */
export const useResetLink = write(
  "login.use_reset",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "rateLimits">,
    { secret, password, network }: ResetUse,
  ): Promise<void> => {
    const giveBack = await countLinkTry(context, network);
    const email = await findReset(context, secret);
    if (email === null) throw new AppError("NOT_FOUND");
    giveBack();
    checkedPassword(password, email);
    const hash = await hashPassword(password);
    await context.db.transaction(async (tx) => {
      const reset = await useReset(context, tx, secret);
      if (!reset || !(await maySetPassword(tx, reset))) throw new AppError("NOT_FOUND");
      const { loginId } = reset;
      await writePasswordHash(tx, loginId, hash);
      const members = await membersOfLogin(tx, loginId);
      await deleteSessionsOfLogin(tx, members, NIL_ID);
      for (const { workspaceId, id } of members)
        await audit(actor, context, tx, workspaceId, {
          action: "login.password_changed",
          subject: id,
        });
    });
  },
);
