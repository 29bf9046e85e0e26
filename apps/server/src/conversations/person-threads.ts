import type { Queryable, Tx } from "../db/database.ts";
import { leaveDesk } from "../desk/desk-gone.ts";
import { deleteThreads, lockThreadsById, selectThreads } from "./person-threads-store.ts";

/** A conversation as the timeline, export and erasure of a person need it. */
export interface PersonThread {
  readonly id: string;
  /** The contact, or one that was merged into it. */
  readonly contactId: string;
  readonly channelId: string;
  readonly channelType: string;
  readonly externalId: string;
  readonly status: string;
  readonly labels: readonly string[];
  readonly createdAt: Date;
  readonly lastMessageAt: Date | null;
}

/** All conversations of a person, by the ids of its contacts (`Person.ids`), oldest first. */
export function personThreads(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<PersonThread[]> {
  return selectThreads(db, workspaceId, contactIds);
}

/** Locks conversations. A message that arrives waits until the transaction ends. */
export function lockThreadsUntilCommit(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  return lockThreadsById(tx, workspaceId, ids);
}

/** Deletes conversations that have no messages left. The caller has locked and checked them. Returns how many. */
export function removeThreads(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<number> {
  leaveDesk(tx, workspaceId, ids);
  return deleteThreads(tx, workspaceId, ids);
}
