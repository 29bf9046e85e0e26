import type { Queryable } from "../db/database.ts";
import type { Member } from "./member.ts";
import { selectMembers, selectMembersOf } from "./member-store.ts";

/** Everybody of the workspace, in the order they came. */
export function listMembers(db: Queryable, workspaceId: string): Promise<Member[]> {
  return selectMembers(db, workspaceId);
}

/** Everybody that a login is, in all workspaces; the first one first. */
export function membersOfLogin(db: Queryable, loginId: string): Promise<Member[]> {
  return selectMembersOf(db, loginId);
}
