import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { withTwoFactor } from "../../logins/two-factor.ts";
import { askRemoval } from "../../removal/ask-removal.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { listMembers } from "../../workspaces/list-members.ts";
import { saveProfile, setAvailability } from "../../workspaces/save-profile.ts";
import { updateWorkspace } from "../../workspaces/update-workspace.ts";
import type { settings } from "./contract/settings.ts";
import type { Handlers } from "./handlers.ts";
import { requireProof } from "./member-door.ts";
import { presentMember } from "./bootstrap.ts";

/** The member's own profile, and the workspace's settings. */
export const settingsHandlers: Handlers<typeof settings> = {
  async saveProfile(context, { caller, body }) {
    return presentMember(await saveProfile(caller.actor, context, caller.workspaceId, body));
  },

  async setAvailability(context, { caller, body }) {
    await setAvailability(caller.actor, context, caller.workspaceId, body.availability);
    return {};
  },

  readWorkspace: (context, { caller }) => shown(context, caller.workspaceId),

  async saveWorkspace(context, { caller, body }) {
    const { name, timeZone, country, locale, twoFactorRequired } = body;
    if (twoFactorRequired === false) requireProof(context, caller);
    await updateWorkspace(caller.actor, context, caller.workspaceId, {
      ...(name !== undefined && { name }),
      ...(timeZone !== undefined && { timeZone }),
      ...(country !== undefined && { country }),
      ...(locale !== undefined && { locale }),
      ...(twoFactorRequired !== undefined && { twoFactorRequired }),
    });
    return shown(context, caller.workspaceId);
  },

  async deleteWorkspace(context, { caller, body }) {
    await askRemoval(caller.actor, context, caller.workspaceId, body.name);
    return {};
  },
};

async function shown(context: Pick<Context, "db">, id: string) {
  const [workspace, members] = await Promise.all([
    findWorkspace(context, id),
    listMembers(context.db, id),
  ]);
  if (!workspace) throw new AppError("UNAUTHENTICATED");
  const there = members.flatMap((one) => (one.disabledAt === null ? [one.loginId] : []));
  const secured = await withTwoFactor(context.db, there);
  const { name, timeZone, country, locale, twoFactorRequired } = workspace;
  const withoutTwoFactor = there.length - secured.size;
  return { name, timeZone, country, locale, twoFactorRequired, withoutTwoFactor };
}
