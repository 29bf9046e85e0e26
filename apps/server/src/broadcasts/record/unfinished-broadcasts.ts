import type { Queryable } from "../../db/database.ts";
import { selectUnfinished } from "./broadcast-store.ts";

/** The campaigns of a workspace that may still send a message, or wait for the end of one. */
export function unfinishedBroadcasts(db: Queryable, workspaceId: string): Promise<string[]> {
  return selectUnfinished(db, workspaceId);
}
