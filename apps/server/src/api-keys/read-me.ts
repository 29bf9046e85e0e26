import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { teamReads } from "../operations/team.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { perform } from "../write.ts";
import { findKey } from "./list-keys.ts";

/** The acting key and its workspace. Throws FORBIDDEN for any other actor. */
export const readMe = perform(
  teamReads.readMe,
  async (actor, context: Pick<Context, "db">, workspaceId) => {
    const [workspace, key] = await Promise.all([
      findWorkspace(context, workspaceId),
      actor.kind === "key" ? findKey(context, workspaceId, actor.keyId) : null,
    ]);
    if (!workspace || !key) throw new AppError("FORBIDDEN", { explanation: "only a key is asked" });
    return {
      workspaceId,
      workspaceName: workspace.name,
      workspaceKind: workspace.kind,
      workspaceTimeZone: workspace.timeZone,
      keyId: key.id,
      keyName: key.name,
      scopes: key.scopes,
      sends: key.sends,
      expiresAt: key.expiresAt?.toISOString() ?? null,
    };
  },
);
