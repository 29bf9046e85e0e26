import type { Queryable } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { selectWorkspaces } from "./workspace-store.ts";

/**
 * Throws NOT_ALLOWED_IN_STATE for a real account in a test workspace, which must reach no customer. `sandbox`: the account
 * is emulated. An unknown workspace passes: the caller refuses it.
 */
export async function checkReachable(
  db: Queryable,
  workspaceId: string,
  sandbox: boolean,
): Promise<void> {
  if (sandbox) return;
  const [workspace] = await selectWorkspaces(db, [workspaceId]);
  if (workspace?.kind === "test")
    throw new AppError("NOT_ALLOWED_IN_STATE", {
      explanation: `a test workspace has channels of the sandbox only: parley sandbox add TYPE --workspace ${workspaceId}`,
    });
}

/** Throws NOT_ALLOWED_IN_STATE unless it is a test workspace. */
export async function checkIsTest(db: Queryable, workspaceId: string): Promise<void> {
  const [workspace] = await selectWorkspaces(db, [workspaceId]);
  if (workspace?.kind !== "test")
    throw new AppError("NOT_ALLOWED_IN_STATE", {
      explanation:
        "only in a test workspace: make one with parley workspace create --kind test, and a key of it with parley key create",
    });
}
