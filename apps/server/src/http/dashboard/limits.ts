import { AppError } from "../../errors.ts";
import { usageSummary } from "../../usage/usage-summary.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { LIMIT_NAMES } from "../../workspaces/plan-limits.ts";
import type { keys } from "./contract/keys.ts";
import type { Handlers } from "./handlers.ts";

/** The limits of a workspace's plan, and how much of each is used. */
export const limitHandlers: Handlers<Pick<typeof keys, "readLimits">> = {
  async readLimits(context, { caller: { workspaceId } }) {
    const [workspace, summary] = await Promise.all([
      findWorkspace(context, workspaceId),
      usageSummary(context, workspaceId),
    ]);
    if (!workspace) throw new AppError("NOT_FOUND");
    return {
      plan: workspace.plan,
      suspended: workspace.suspendedAt !== null,
      items: LIMIT_NAMES.map((name) => ({
        name,
        limit: summary.limits[name],
        used: summary.usage[name],
        own: name in workspace.limitOverrides,
      })),
      smsCredits: workspace.smsCredits,
      periodEnd: summary.periodEnd,
    };
  },
};
