import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { FETCH_LEASE_MS } from "./fetch-policy.ts";
import type { MediaFailure } from "./media.ts";
import {
  countOfMessages,
  expireByIds,
  expireOfMessages,
  selectOld,
  type IdRange,
} from "./expiry-store.ts";

/** Why a file is not there that its workspace keeps no longer. */
export const EXPIRED: MediaFailure = "expired";

function timesOf({ clock }: Pick<Context, "clock">) {
  const now = clock.now();
  return { now, fetchedBy: new Date(now.getTime() + FETCH_LEASE_MS) };
}

/**
 * Has the files of messages removed that their workspace keeps no longer. From the commit on no one can read them; the
 * sweep removes the bytes first and the rows after them. Gives how many.
 */
export function expireMediaOf(
  context: Pick<Context, "clock">,
  tx: Tx,
  workspaceId: string,
  messageIds: readonly string[],
): Promise<number> {
  return expireOfMessages(tx, workspaceId, messageIds, timesOf(context));
}

/** The same for these files. Gives the ids of those that were there. */
export function expireMedia(
  context: Pick<Context, "clock">,
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  return expireByIds(tx, workspaceId, ids, timesOf(context));
}

/** The next files of messages between two ids, with their messages. Files that something else keeps are not among them. */
export function nextOldMedia(
  tx: Tx,
  workspaceId: string,
  range: IdRange,
  limit: number,
): Promise<{ readonly id: string; readonly messageId: string }[]> {
  return selectOld(tx, workspaceId, range, limit);
}

/** How many files of messages have an id in the range; counts no further than `most`. */
export function countMediaBetween(
  db: Queryable,
  workspaceId: string,
  range: { readonly above: string | null; readonly below: string },
  most: number,
): Promise<number> {
  return countOfMessages(db, workspaceId, range, most);
}
