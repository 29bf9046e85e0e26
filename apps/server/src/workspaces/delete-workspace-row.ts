import { sqlState, type Db } from "../db/database.ts";
import { deleteWorkspaceById } from "./workspace-store.ts";

/** Deletes the workspace's own row. False when rows of another table still refer to it. */
export async function deleteWorkspaceRow(db: Db, workspaceId: string): Promise<boolean> {
  try {
    await deleteWorkspaceById(db, workspaceId);
    return true;
  } catch (error) {
    // 23503: foreign_key_violation.
    if (sqlState(error) === "23503") return false;
    throw error;
  }
}
