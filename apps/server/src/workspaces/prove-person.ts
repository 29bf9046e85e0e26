import { SYSTEM } from "../actor.ts";
import type { Context } from "../context.ts";
import { describeForLog } from "../db/describe-for-log.ts";
import { AppError } from "../errors.ts";
import { loginWith } from "../logins/login.ts";
import { proveLogin, type PasswordGiven, type WrongTry } from "../logins/prove-login.ts";
import { write } from "../write.ts";
import { writeToPerson } from "./letter.ts";
import { membersOfLogin } from "./list-members.ts";
import { audit } from "./write-audit.ts";

type Needs = Pick<Context, "db" | "clock" | "ids" | "config" | "sealer" | "rateLimits">;

/** A person is written to once an hour about the same matter. */
const PER_LETTER = { limit: 1, windowMs: 3_600_000 } as const;

/** A password or a code that was wrong. */
export interface Refusal extends WrongTry {
  readonly by: "password" | "code";
  /** The step of the sign-in ended: the password must be given again. */
  readonly stepEnded?: boolean;
}

/**
 * Stores a refused password or code in the audit of each of the person's workspaces. When it ended the step or was the
 * last that passes, the person receives a mail.
 */
export const recordRefusal = write(
  "login.refuse",
  async (
    actor,
    context: Needs,
    { loginId, by, last, stepEnded = false }: Refusal,
  ): Promise<void> => {
    const about = by === "code" ? "wrong_codes" : "wrong_passwords";
    const writes =
      (last || stepEnded) &&
      (await context.rateLimits.take(`letter:${about}:${loginId}`, PER_LETTER)).allowed;
    await context.db.transaction(async (tx) => {
      for (const { workspaceId, id } of await membersOfLogin(tx, loginId))
        await audit(actor, context, tx, workspaceId, {
          action: "session.refused",
          subject: id,
          facts: { by, ...(last && { last }), ...(stepEnded && { stepEnded }) },
        });
      if (writes) await writeToPerson(actor, context, tx, loginId, about);
    });
  },
);

/**
 * The id of the login that has this address and password; refusals are recorded. Throws as `proveLogin` does. The answer
 * does not wait for the record: its time would show which addresses are known.
 */
export const provePerson = (
  context: Needs & Pick<Context, "log">,
  given: PasswordGiven,
): Promise<string> =>
  proveLogin(context, given, (one) => {
    recordRefusal(SYSTEM, context, { ...one, by: "password" }).catch((error: unknown) => {
      context.log.error(describeForLog(error), "a refused sign-in was not recorded");
    });
  });

/** Asks a person who is signed in for the password again. Throws as `proveLogin` does. */
export async function proveAgain(
  context: Needs & Pick<Context, "log">,
  loginId: string,
  { password, network }: Pick<PasswordGiven, "password" | "network">,
): Promise<void> {
  const login = await loginWith(context.db, loginId);
  if (!login) throw new AppError("INVALID_CREDENTIALS");
  await provePerson(context, { email: login.email, password, network, again: true });
}
