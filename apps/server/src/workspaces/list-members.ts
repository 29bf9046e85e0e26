import type { Queryable } from "../db/database.ts";
import type { Member } from "./member.ts";
import { selectMembers } from "./member-store.ts";

/** Everybody of the workspace, in the order they came. */
export function listMembers(db: Queryable, workspaceId: string): Promise<Member[]> {
  return selectMembers(db, workspaceId);
}
