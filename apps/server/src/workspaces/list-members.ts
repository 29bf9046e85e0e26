import type { MemberRole } from "../actor.ts";
import type { Queryable } from "../db/database.ts";
import type { Member } from "./member.ts";
import { selectMembers, selectMembersOf, selectRole } from "./member-store.ts";

/** All members of the workspace, in the order in which they joined. */
export function listMembers(db: Queryable, workspaceId: string): Promise<Member[]> {
  return selectMembers(db, workspaceId);
}

/** All members that share a login, in all workspaces; the first one first. */
export function membersOfLogin(db: Queryable, loginId: string): Promise<Member[]> {
  return selectMembersOf(db, loginId);
}

/** The role that a member has now; null when the member was removed or disabled. */
export function roleOfMember(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<MemberRole | null> {
  return selectRole(db, workspaceId, id);
}
