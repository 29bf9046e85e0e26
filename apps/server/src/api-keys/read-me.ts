import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { teamReads } from "../operations/team.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { perform } from "../write.ts";
import { listKeys } from "./list-keys.ts";

/** The acting key and its workspace. Throws FORBIDDEN for any other actor. */
export const readMe = perform(
  teamReads.readMe,
  async (actor, context: Pick<Context, "db">, workspaceId) => {
    const [workspace, keys] = await Promise.all([
      findWorkspace(context, workspaceId),
      listKeys(context, workspaceId),
    ]);
    const key = keys.find(({ id }) => actor.kind === "key" && id === actor.keyId);
    if (!workspace || !key) throw new AppError("FORBIDDEN", { explanation: "only a key is asked" });
    return {
      workspaceId,
      workspaceName: workspace.name,
      workspaceKind: workspace.kind,
      keyId: key.id,
      keyName: key.name,
      scopes: key.scopes,
      sends: key.sends,
      expiresAt: key.expiresAt?.toISOString() ?? null,
    };
  },
);
