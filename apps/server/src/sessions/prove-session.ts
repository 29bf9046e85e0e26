import type { Context } from "../context.ts";
import { proveAgain } from "../workspaces/prove-person.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import type { SignedIn } from "./session.ts";
import { writeProven } from "./session-store.ts";

/**
 * The person at a session gives the password again. For the next ten minutes the session may do what needs a fresh
 * proof. Throws INVALID_CREDENTIALS, RATE_LIMITED after too many tries. `network` is the client's
 * (`clientAddress`).
 */
export const proveSession = write(
  "session.prove",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "config" | "sealer" | "log" | "rateLimits">,
    signedIn: SignedIn,
    { password, network }: { readonly password: string; readonly network: string },
  ): Promise<void> => {
    await proveAgain(context, signedIn.loginId, { password, network });
    await context.db.transaction(async (tx) => {
      await writeProven(tx, signedIn, context.clock.now());
      await audit(actor, context, tx, signedIn.workspaceId, {
        action: "session.proven",
        subject: signedIn.memberId,
        facts: { session: signedIn.sessionId },
      });
    });
  },
);
