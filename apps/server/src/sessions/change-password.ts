import type { Context } from "../context.ts";
import { writePasswordHash } from "../logins/login.ts";
import { checkedPassword, hashPassword } from "../logins/password.ts";
import { proveAgain } from "../logins/prove-login.ts";
import { membersOfLogin } from "../workspaces/list-members.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import type { SignedIn } from "./session.ts";
import { deleteSessionsOfLogin } from "./session-store.ts";

/** `network` is the client's (`clientAddress`). */
export interface PasswordChange {
  readonly old: string;
  readonly fresh: string;
  readonly network: string;
}

/**
 * Changes a person's own password, for all workspaces; every other session ends. Throws INVALID_CREDENTIALS when
 * `old` is wrong, VALIDATION_FAILED when `fresh` has fewer than 10 characters, RATE_LIMITED after too many tries.
 */
export const changeOwnPassword = write(
  "login.change_password",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "rateLimits">,
    { workspaceId, memberId, loginId, sessionId }: SignedIn,
    { old, fresh, network }: PasswordChange,
  ): Promise<void> => {
    checkedPassword(fresh);
    await proveAgain(context, loginId, old, network);
    const hash = await hashPassword(fresh);
    await context.db.transaction(async (tx) => {
      await writePasswordHash(tx, loginId, hash);
      await deleteSessionsOfLogin(tx, await membersOfLogin(tx, loginId), sessionId);
      await audit(actor, context, tx, workspaceId, {
        action: "login.password_changed",
        subject: memberId,
      });
    });
  },
);
