import type { Queryable } from "../db/database.ts";
import type { DeskViewJson } from "../http/dashboard/contract/desk-shapes.ts";
import { selectViewsFor } from "./view-store.ts";

/** The views that a member sees: everybody's and the member's own, by name; at most 200. */
export function viewsFor(
  db: Queryable,
  workspaceId: string,
  memberId: string,
): Promise<DeskViewJson[]> {
  return selectViewsFor(db, workspaceId, memberId);
}
