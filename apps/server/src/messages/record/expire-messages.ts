import type { Context } from "../../context.ts";
import type { Queryable, Tx } from "../../db/database.ts";
import { blankPreviews, overPreviews } from "../../desk/expire-previews.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { expireMediaOf } from "../../media/expire-media.ts";
import {
  countBelow,
  deleteOldMessages,
  lockOldMessages,
  pruneForgotten,
  selectOldMessages,
} from "./expiry-store.ts";

/** For so long after a message was stored, its platform may repeat it and makes no second one. */
const REPEATED_MS = 90 * 86_400_000;

/** Messages with ids between two ids. */
interface Range {
  readonly above: string;
  readonly below: string;
}

/**
 * Deletes the next messages that their workspace keeps no longer, with their parts, words in the search and files.
 * Messages stay that still wait in the outbox, whose call is under way or whose answer was lost, and those of
 * campaigns that are not over (`held`). The meter and the counts of campaigns are rows of their own and stay. Where
 * the last thing that was said in a conversation goes, its row in the inbox says so. The platform's ids of younger
 * messages are kept for as long as it may repeat them. `last`: the id up to which it looked; null: nothing was left.
 */
export async function expireMessages(
  context: Pick<Context, "clock">,
  tx: Tx,
  workspaceId: string,
  { above, below }: Range,
  { held, limit }: { readonly held: readonly string[]; readonly limit: number },
): Promise<{ readonly last: string | null; readonly messages: number; readonly files: number }> {
  const found = await selectOldMessages(tx, workspaceId, { above, below }, held, limit);
  const last = found.looked < limit ? null : found.last;
  if (found.messages.length === 0) return { last, messages: 0, files: 0 };
  // Conversations are locked before their messages, as everywhere. Only quiet ones are: no one waits for them.
  const threads = [...new Set(found.messages.flatMap(({ threadId }) => threadId ?? []))];
  const quiet = await overPreviews(tx, workspaceId, threads, below);
  const conversations = await lockConversations(
    tx,
    quiet.map((id) => ({ workspaceId, id })),
  );
  const ids = await lockOldMessages(
    tx,
    workspaceId,
    found.messages.map(({ id }) => id),
  );
  const files = await expireMediaOf(context, tx, workspaceId, ids);
  const since = new Date(context.clock.now().getTime() - REPEATED_MS);
  const messages = await deleteOldMessages(tx, workspaceId, ids, since);
  await blankPreviews(tx, workspaceId, conversations, below);
  return { last, messages, files };
}

/** How many messages have an id below this one; counts no further than `most`. */
export function countMessagesBefore(
  db: Queryable,
  workspaceId: string,
  below: string,
  most: number,
): Promise<number> {
  return countBelow(db, workspaceId, below, most);
}

/** Forgets the platform's ids of messages that no platform repeats any more. Gives how many, at most a thousand. */
export const pruneForgottenMessages = ({
  db,
  clock,
}: Pick<Context, "db" | "clock">): Promise<number> =>
  pruneForgotten(db, new Date(clock.now().getTime() - REPEATED_MS));
