import type { Context } from "../context.ts";
import { SYSTEM } from "../actor.ts";
import { AppError, invalid } from "../errors.ts";
import { NIL_ID } from "../lib/ids.ts";
import { loginWith } from "../logins/login.ts";
import { countCode } from "../logins/prove-login.ts";
import {
  freshRecoveryCodes,
  switchOff,
  switchOn,
  useSecondStep,
  type SecondStep,
} from "../logins/two-factor.ts";
import { lockLoginOf } from "../workspaces/change-member.ts";
import { membersOfLogin } from "../workspaces/list-members.ts";
import { writeToPerson } from "../workspaces/letter.ts";
import { recordRefusal } from "../workspaces/prove-person.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import type { SignedIn } from "./session.ts";
import { deleteSessionsOfLogin } from "./session-store.ts";

type Needs = Pick<Context, "db" | "clock" | "ids" | "sealer">;
type Writing = Needs & Pick<Context, "config">;
type Proving = Writing & Pick<Context, "rateLimits">;

/** `current`: a code of the present app or a recovery code, when two-factor is on already. */
export interface SwitchingOn {
  readonly proposal: string;
  readonly code: string;
  readonly current?: SecondStep | undefined;
}

/**
 * Turns two-factor on for the member's own login, in all workspaces, or moves it to another app; every other session
 * ends, and the person receives a mail. Gives the recovery codes, once. Throws VALIDATION_FAILED for a wrong code, an old
 * proposal (`proposeSecret`) and a missing `current`, INVALID_CREDENTIALS for a wrong `current`, RATE_LIMITED.
 */
export const switchOnTwoFactor = write(
  "login.switch_on_two_factor",
  async (
    actor,
    context: Proving,
    { workspaceId, memberId, loginId, sessionId }: SignedIn,
    { current, ...given }: SwitchingOn,
  ): Promise<string[]> => {
    const moved = (await loginWith(context.db, loginId))?.totpSealed != null;
    if (moved && current === undefined)
      throw invalid("currentCode", "is missing: two-factor is on already");
    if (moved && current) await proveSecondStep(context, loginId, current);
    return context.db.transaction(async (tx) => {
      // It was switched on meanwhile, so the present app has not been asked for.
      if (!moved && (await loginWith(tx, loginId))?.totpSealed != null)
        throw new AppError("CONFLICT", { explanation: "two-factor was switched on meanwhile" });
      const codes = await switchOn(context, tx, loginId, given);
      await deleteSessionsOfLogin(tx, await membersOfLogin(tx, loginId), sessionId);
      await audit(actor, context, tx, workspaceId, {
        action: "login.two_factor_on",
        subject: memberId,
        facts: moved ? { moved } : {},
      });
      const about = moved ? "two_factor_moved" : "two_factor_on";
      await writeToPerson(actor, context, tx, loginId, about);
      return codes;
    });
  },
);

/**
 * Turns two-factor off for the member's own login, with a code of the app or a recovery code; the person receives a mail.
 * A workspace that requires it asks for it again at once. Throws INVALID_CREDENTIALS for a wrong code, RATE_LIMITED after
 * too many, NOT_ALLOWED_IN_STATE when it is off.
 */
export const switchOffTwoFactor = write(
  "login.switch_off_two_factor",
  async (
    actor,
    context: Proving,
    { workspaceId, memberId, loginId }: SignedIn,
    given: SecondStep,
  ): Promise<void> => {
    await proveSecondStep(context, loginId, given);
    await context.db.transaction(async (tx) => {
      await switchOff(tx, loginId);
      await audit(actor, context, tx, workspaceId, {
        action: "login.two_factor_off",
        subject: memberId,
      });
      await writeToPerson(actor, context, tx, loginId, "two_factor_off");
    });
  },
);

/** Uses up a right code. Throws INVALID_CREDENTIALS, RATE_LIMITED, NOT_ALLOWED_IN_STATE while two-factor is off. */
async function proveSecondStep(
  context: Proving,
  loginId: string,
  given: SecondStep,
): Promise<void> {
  const account = await countCode(context, loginId);
  const right = await context.db.transaction(async (tx) => {
    const login = await loginWith(tx, loginId);
    if (login?.totpSealed == null)
      throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "two-factor is off" });
    return useSecondStep(context, tx, login, given);
  });
  if (!right) {
    const last = account.remaining === 0;
    await recordRefusal(SYSTEM, context, { loginId, by: "code", last });
    throw new AppError("INVALID_CREDENTIALS");
  }
  account.giveBack();
}

/** Replaces the recovery codes and gives the new ones, once. */
export const renewRecoveryCodes = write(
  "login.renew_recovery_codes",
  async (actor, context: Needs, { workspaceId, memberId, loginId }: SignedIn): Promise<string[]> =>
    context.db.transaction(async (tx) => {
      await audit(actor, context, tx, workspaceId, {
        action: "login.recovery_codes_made",
        subject: memberId,
      });
      if ((await loginWith(tx, loginId))?.totpSealed == null)
        throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "two-factor is off" });
      return freshRecoveryCodes(context, tx, loginId);
    }),
);

/**
 * Turns two-factor off for a member who lost the app and the recovery codes, and ends their sessions. Throws
 * NOT_FOUND, FORBIDDEN for an admin who acts on another admin or an owner, and when the person also works in
 * another workspace.
 */
export const resetTwoFactor = write(
  "member.reset_two_factor",
  async (actor, context: Writing, workspaceId: string, memberId: string): Promise<void> =>
    context.db.transaction(async (tx) => {
      const loginId = await lockLoginOf(actor, tx, workspaceId, memberId);
      await switchOff(tx, loginId);
      await deleteSessionsOfLogin(tx, await membersOfLogin(tx, loginId), NIL_ID);
      await audit(actor, context, tx, workspaceId, {
        action: "member.two_factor_reset",
        subject: memberId,
      });
      await writeToPerson(actor, context, tx, loginId, "two_factor_off");
    }),
);
