import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { eraseOfMessages, selectErased, selectOfMessages } from "./erasure-store.ts";
import { FETCH_LEASE_MS } from "./fetch-policy.ts";
import type { Media } from "./media.ts";

/**
 * Erases the files of messages of a person who is being erased. From the commit on nobody can read or send them, and
 * their names are gone. The sweep removes first the bytes and then the row. A file that is still being fetched is swept
 * after the fetch. Gives how many there were.
 */
export function eraseMedia(
  context: Pick<Context, "clock">,
  tx: Tx,
  of: { readonly workspaceId: string; readonly erasureId: string },
  messageIds: readonly string[],
): Promise<number> {
  const now = context.clock.now();
  const fetchedBy = new Date(now.getTime() + FETCH_LEASE_MS);
  return eraseOfMessages(tx, of, messageIds, { now, fetchedBy });
}

/** When the sweep looks next at files of an erasure; null: none are left. */
export async function nextErasedMedia(
  db: Queryable,
  of: { readonly workspaceId: string; readonly erasureId: string },
): Promise<Date | null> {
  return (await selectErased(db, of))?.at ?? null;
}

/** The files of these messages, in the order of messages. */
export function mediaOfMessages(
  db: Queryable,
  workspaceId: string,
  messageIds: readonly string[],
): Promise<Media[]> {
  return selectOfMessages(db, workspaceId, messageIds);
}
