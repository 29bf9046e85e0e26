import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { writePasswordHash } from "../logins/login.ts";
import { checkedPassword, hashPassword } from "../logins/password.ts";
import { proveAgain } from "../logins/prove-login.ts";
import { membersOfLogin } from "../workspaces/list-members.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import { PROVEN_MS, type SignedIn } from "./session.ts";
import { deleteSessionsOfLogin, writeProven } from "./session-store.ts";

/**
 * A member gives the password again. Throws INVALID_CREDENTIALS when it is wrong, RATE_LIMITED after too many tries.
 * `network` is the client's (`clientAddress`).
 */
export const proveSession = write(
  "session.prove",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "rateLimits">,
    signedIn: SignedIn,
    { password, network }: { readonly password: string; readonly network: string },
  ): Promise<void> => {
    await proveAgain(context, signedIn.loginId, password, network);
    await context.db.transaction(async (tx) => {
      await writeProven(tx, signedIn, context.clock.now());
      await audit(actor, context, tx, signedIn.workspaceId, {
        action: "session.proven",
        subject: signedIn.memberId,
      });
    });
  },
);

/** Throws REAUTH_REQUIRED when the password was last asked for more than ten minutes ago. */
export function requireProof(context: Pick<Context, "clock">, { provenAt }: SignedIn): void {
  if (context.clock.now().getTime() - provenAt.getTime() > PROVEN_MS)
    throw new AppError("REAUTH_REQUIRED", { explanation: "give your password again first" });
}

/**
 * A person changes the own password, for all workspaces; every other session ends. Throws REAUTH_REQUIRED, and
 * VALIDATION_FAILED for fewer than 10 characters.
 */
export const changeOwnPassword = write(
  "login.change_password",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    signedIn: SignedIn,
    password: string,
  ): Promise<void> => {
    requireProof(context, signedIn);
    checkedPassword(password);
    const hash = await hashPassword(password);
    const { workspaceId, memberId, loginId, sessionId } = signedIn;
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
