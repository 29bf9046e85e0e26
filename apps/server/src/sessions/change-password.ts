import type { Context } from "../context.ts";
import { freshSecret, hashOfSecret } from "../lib/link-secret.ts";
import { loginWith, writePasswordHash } from "../logins/login.ts";
import { checkedPassword, hashPassword } from "../logins/password.ts";
import { membersOfLogin } from "../workspaces/list-members.ts";
import { proveAgain } from "../workspaces/prove-person.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import type { SignedIn } from "./session.ts";
import { deleteSessionsOfLogin, writeToken } from "./session-store.ts";

/** `network` is the client's (`clientAddress`). */
export interface PasswordChange {
  readonly old: string;
  readonly fresh: string;
  readonly network: string;
}

/**
 * Changes a person's own password, for all workspaces; every other session ends, and this one gets a new
 * secret, which it gives. Throws INVALID_CREDENTIALS when
 * `old` is wrong, VALIDATION_FAILED when `fresh` has fewer than 10 characters, RATE_LIMITED after too many tries.
 */
export const changeOwnPassword = write(
  "login.change_password",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "config" | "sealer" | "log" | "rateLimits">,
    { workspaceId, memberId, loginId, sessionId }: SignedIn,
    { old, fresh, network }: PasswordChange,
  ): Promise<string> => {
    const login = await loginWith(context.db, loginId);
    checkedPassword(fresh, login?.email);
    await proveAgain(context, loginId, { password: old, network });
    const hash = await hashPassword(fresh);
    const token = freshSecret();
    await context.db.transaction(async (tx) => {
      await writePasswordHash(tx, loginId, hash);
      // Somebody who copied the cookie before stays outside.
      await writeToken(tx, { workspaceId, memberId, sessionId }, hashOfSecret(token));
      await deleteSessionsOfLogin(tx, await membersOfLogin(tx, loginId), sessionId);
      await audit(actor, context, tx, workspaceId, {
        action: "login.password_changed",
        subject: memberId,
      });
    });
    return token;
  },
);
