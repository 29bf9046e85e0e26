import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { eraseOfMessages, selectErased, selectOfMessages } from "./erasure-store.ts";
import { FETCH_LEASE_MS } from "./fetch-policy.ts";
import type { Media } from "./media.ts";

/**
 * The files of messages whose person is being forgotten: nobody can read or send them from the commit on, and their
 * names go with it. The sweep removes bytes first and row after, of one that was being fetched when whoever fetches it
 * is done. Gives how many there were.
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

/** When the files of an erasure whose bytes are still there are next looked at; null: there are none left. */
export async function nextErasedMedia(
  db: Queryable,
  of: { readonly workspaceId: string; readonly erasureId: string },
): Promise<Date | null> {
  return (await selectErased(db, of))?.at ?? null;
}

/** What is known of the files of messages, by message. */
export function mediaOfMessages(
  db: Queryable,
  workspaceId: string,
  messageIds: readonly string[],
): Promise<Media[]> {
  return selectOfMessages(db, workspaceId, messageIds);
}
