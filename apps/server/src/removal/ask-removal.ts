import { SYSTEM } from "../actor.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import {
  lockWorkspace,
  workspaceToRemove,
  writeRemovalAsked,
} from "../workspaces/find-workspace.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import { deleteWorkspace } from "./delete-workspace.ts";

/**
 * Asks for the deletion of a workspace with everything in it, for good. Nobody is let in from now on. A worker deletes
 * it (`removeAsked`), however long that takes. `name` must be the workspace's name, as a person typed it. Throws
 * NOT_FOUND, and VALIDATION_FAILED for another name.
 */
export const askRemoval = write(
  "workspace.ask_removal",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    workspaceId: string,
    name: string,
  ): Promise<void> =>
    context.db.transaction(async (tx) => {
      const workspace = isId(workspaceId) ? await lockWorkspace(tx, workspaceId) : null;
      if (!workspace) throw new AppError("NOT_FOUND");
      if (name.trim() !== workspace.name)
        throw invalid("name", "is not the name of this workspace");
      await writeRemovalAsked(tx, workspaceId, context.clock.now());
      await audit(actor, context, tx, workspaceId, {
        action: "workspace.removal_asked",
        subject: workspaceId,
      });
    }),
);

/**
 * Deletes one workspace whose deletion was asked for. Gives 1, or 0 when there is none. A deletion that broke off is
 * resumed in the next round.
 */
export async function removeAsked(context: Context): Promise<number> {
  const found = await workspaceToRemove(context.db);
  if (!found) return 0;
  await deleteWorkspace(SYSTEM, context, found.id, found.name).catch((error: unknown) => {
    // Another process has deleted it.
    if (!(error instanceof AppError && error.code === "NOT_FOUND")) throw error;
  });
  return 1;
}
