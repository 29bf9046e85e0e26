import type { Context } from "../context.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";

const QUERIES = {
  broadcast: (id: string) => sql`select workspace_id from broadcast where id = ${id}`,
  conversation: (id: string) => sql`select workspace_id from conversation where id = ${id}`,
  channel: (id: string) => sql`select workspace_id from channel where id = ${id}`,
};

/**
 * The workspace of a record that the operator names by its id alone. The one read that is not scoped by workspace:
 * it is for the command line and never reachable from a request. Throws NOT_FOUND.
 */
export async function workspaceOf(
  context: Pick<Context, "db">,
  noun: keyof typeof QUERIES,
  id: string,
): Promise<string> {
  const rows = isId(id) ? await context.db.query<{ workspace_id: string }>(QUERIES[noun](id)) : [];
  const found = rows[0]?.workspace_id;
  if (found === undefined)
    throw new AppError("NOT_FOUND", { explanation: `there is no ${noun} ${id}` });
  return found;
}

/** Gives the id back when there is such a workspace: a mistyped one must not read as an empty one. Throws NOT_FOUND. */
export async function existing(context: Pick<Context, "db">, workspaceId: string): Promise<string> {
  if (!(await findWorkspace(context, workspaceId)))
    throw new AppError("NOT_FOUND", { explanation: `there is no workspace ${workspaceId}` });
  return workspaceId;
}
