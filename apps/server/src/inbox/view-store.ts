import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { DeskViewJson } from "../http/dashboard/contract/desk-shapes.ts";

/** The views that a member sees: everybody's and the member's own, by name. */
export function selectViewsFor(
  db: Queryable,
  workspaceId: string,
  memberId: string,
): Promise<DeskViewJson[]> {
  return db.query(sql`select id, name, filter, member_id is null as shared from desk_view
    where workspace_id = ${workspaceId} and (member_id is null or member_id = ${memberId}) order by name, id limit 200`);
}
