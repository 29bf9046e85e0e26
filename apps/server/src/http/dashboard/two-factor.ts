import { renderSVG } from "uqr";
import { AppError } from "../../errors.ts";
import { loginWith } from "../../logins/login.ts";
import { proposeSecret, recoveryCodesLeft } from "../../logins/two-factor.ts";
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
    return { recoveryCodes: await switchOnTwoFactor(caller.actor, context, caller, body) };
  },

  async switchOffTwoFactor(context, { caller }) {
    await switchOffTwoFactor(caller.actor, context, caller);
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
