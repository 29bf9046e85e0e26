import { renderSVG } from "uqr";
import { AppError, invalid } from "../../errors.ts";
import { loginWith } from "../../logins/login.ts";
import { proposeSecret, recoveryCodesLeft, type SecondStep } from "../../logins/two-factor.ts";
import {
  renewRecoveryCodes,
  resetTwoFactor,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from "../../sessions/switch-two-factor.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import type { twoFactor } from "./contract/two-factor.ts";
import type { Handlers } from "./handlers.ts";

/** Two-factor of the member's own login, and its reset for members who lost it. */
export const twoFactorHandlers: Handlers<typeof twoFactor> = {
  async readTwoFactor(context, { caller: { loginId, workspaceId } }) {
    const [login, recoveryCodes, workspace] = await Promise.all([
      loginWith(context.db, loginId),
      recoveryCodesLeft(context.db, loginId),
      findWorkspace(context, workspaceId),
    ]);
    return {
      on: login?.totpSealed != null,
      recoveryCodes,
      required: workspace?.twoFactorRequired ?? false,
    };
  },

  async proposeTwoFactor(context, { caller }) {
    const login = await loginWith(context.db, caller.loginId);
    if (!login) throw new AppError("UNAUTHENTICATED");
    const { secret, address, proposal } = proposeSecret(context, login);
    return { secret, proposal, picture: renderSVG(address, { border: 2 }) };
  },

  async switchOnTwoFactor(context, { caller, body }) {
    const { proposal, code, currentCode, currentRecoveryCode } = body;
    const current = stepOf(currentCode, currentRecoveryCode);
    const given = { proposal, code, current };
    return { recoveryCodes: await switchOnTwoFactor(caller.actor, context, caller, given) };
  },

  async switchOffTwoFactor(context, { caller, body: { code, recoveryCode } }) {
    const given = stepOf(code, recoveryCode);
    if (!given) throw invalid("code", "is missing");
    await switchOffTwoFactor(caller.actor, context, caller, given);
    return {};
  },

  async renewRecoveryCodes(context, { caller }) {
    return { recoveryCodes: await renewRecoveryCodes(caller.actor, context, caller) };
  },

  async resetTwoFactor(context, { caller, params }) {
    await resetTwoFactor(caller.actor, context, caller.workspaceId, params.id);
    return {};
  },
};

/** The code or recovery code of a body; undefined: neither was given. */
export function stepOf(
  code: string | undefined,
  recoveryCode: string | undefined,
): SecondStep | undefined {
  if (recoveryCode !== undefined) return { recoveryCode };
  return code === undefined ? undefined : { code };
}
