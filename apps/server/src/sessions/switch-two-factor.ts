import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { NIL_ID } from "../lib/ids.ts";
import { loginWith } from "../logins/login.ts";
import { freshRecoveryCodes, switchOff, switchOn } from "../logins/two-factor.ts";
import { lockLoginOf } from "../workspaces/change-member.ts";
import { membersOfLogin } from "../workspaces/list-members.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import type { SignedIn } from "./session.ts";
import { deleteSessionsOfLogin } from "./session-store.ts";

type Needs = Pick<Context, "db" | "clock" | "ids" | "sealer">;

/**
 * Turns two-factor on for the member's own login, in all workspaces; every other session ends. Gives the recovery
 * codes, once. Throws VALIDATION_FAILED for a wrong code or an old proposal (`proposeSecret`).
 */
export const switchOnTwoFactor = write(
  "login.switch_on_two_factor",
  async (
    actor,
    context: Needs,
    { workspaceId, memberId, loginId, sessionId }: SignedIn,
    given: { readonly proposal: string; readonly code: string },
  ): Promise<string[]> =>
    context.db.transaction(async (tx) => {
      const codes = await switchOn(context, tx, loginId, given);
      await deleteSessionsOfLogin(tx, await membersOfLogin(tx, loginId), sessionId);
      await audit(actor, context, tx, workspaceId, {
        action: "login.two_factor_on",
        subject: memberId,
      });
      return codes;
    }),
);

/** Turns two-factor off for the member's own login. A workspace that requires it asks for it again at once. */
export const switchOffTwoFactor = write(
  "login.switch_off_two_factor",
  async (actor, context: Needs, { workspaceId, memberId, loginId }: SignedIn): Promise<void> =>
    context.db.transaction(async (tx) => {
      await switchOff(tx, loginId);
      await audit(actor, context, tx, workspaceId, {
        action: "login.two_factor_off",
        subject: memberId,
      });
    }),
);

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
  async (actor, context: Needs, workspaceId: string, memberId: string): Promise<void> =>
    context.db.transaction(async (tx) => {
      const loginId = await lockLoginOf(actor, tx, workspaceId, memberId);
      await switchOff(tx, loginId);
      await deleteSessionsOfLogin(tx, await membersOfLogin(tx, loginId), NIL_ID);
      await audit(actor, context, tx, workspaceId, {
        action: "member.two_factor_reset",
        subject: memberId,
      });
    }),
);
