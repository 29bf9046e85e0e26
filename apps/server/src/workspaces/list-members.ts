import type { Queryable } from "../db/database.ts";
import type { Member } from "./member.ts";
import { countMembers, selectMembers } from "./member-store.ts";

/** Everybody of the workspace, in the order they came. */
export function listMembers(db: Queryable, workspaceId: string): Promise<Member[]> {
  return selectMembers(db, workspaceId);
}

/** Seats in use (spec, UsageSummary.usage.seats). */
export function countSeats(db: Queryable, workspaceId: string): Promise<number> {
  return countMembers(db, workspaceId);
}
