import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import type { Workspace } from "./workspace.ts";
import {
  lockWorkspaces,
  selectAllWorkspaces,
  selectAnyWorkspace,
  selectWorkspaces,
} from "./workspace-store.ts";

export {
  lockWorkspace,
  selectToRemove as workspaceToRemove,
  writeRemovalAsked,
} from "./workspace-store.ts";

/** The workspace, or null when there is none with that id. */
export async function findWorkspace(
  context: Pick<Context, "db">,
  id: string,
): Promise<Workspace | null> {
  return (await findWorkspaces(context.db, [id])).get(id) ?? null;
}

/**
 * The workspaces with these ids, by id; unknown ids are left out. It takes a `Queryable`, so that it can read inside
 * the caller's transaction.
 */
export async function findWorkspaces(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, Workspace>> {
  const rows = await selectWorkspaces(db, [...new Set(ids)].filter(isId));
  return new Map(rows.map((workspace) => [workspace.id, workspace]));
}

/** Every workspace of the installation, oldest first. For the operator, never for a request. */
export function listWorkspaces(context: Pick<Context, "db">): Promise<Workspace[]> {
  return selectAllWorkspaces(context.db);
}

/** Whether there is any workspace: an installation without one is new. It takes a `Queryable`, as above. */
export async function hasWorkspaces(db: Queryable): Promise<boolean> {
  return (await selectAnyWorkspace(db)).length > 0;
}

/**
 * Whether there is no workspace. None can be added until the transaction ends. (A restore fills only an empty
 * database.)
 */
export async function lockEmpty(tx: Tx): Promise<boolean> {
  await lockWorkspaces(tx);
  return !(await hasWorkspaces(tx));
}
