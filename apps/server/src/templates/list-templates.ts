import type { Context } from "../context.ts";
import type { Queryable } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import type { StoredTemplate } from "./template.ts";
import { selectApproved, selectTemplate } from "./template-store.ts";

/** The approved templates of the workspace, by name, then language (spec, GET /v1/templates). */
export function listTemplates(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<StoredTemplate[]> {
  return selectApproved(context.db, workspaceId);
}

/** One template of any status, or null. Takes a handle, so that it can be read inside a transaction. */
export async function findTemplate(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<StoredTemplate | null> {
  return isId(id) ? selectTemplate(db, workspaceId, id) : null;
}
