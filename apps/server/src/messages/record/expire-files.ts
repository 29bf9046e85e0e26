import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { EXPIRED, expireMedia, nextOldMedia } from "../../media/expire-media.ts";
import { lockAttachments, markFiles } from "./attachment-store.ts";

/**
 * Deletes the next files that their workspace keeps no longer. Their messages stay and say that the file was deleted. The
 * bytes are removed by the sweep. `last`: the id up to which it looked; null: nothing was left.
 */
export async function expireFiles(
  context: Pick<Context, "clock">,
  tx: Tx,
  workspaceId: string,
  range: { readonly above: string; readonly below: string },
  limit: number,
): Promise<{ readonly last: string | null; readonly files: number }> {
  const found = await nextOldMedia(tx, workspaceId, range, limit);
  const last = found.length < limit ? null : (found.at(-1)?.id ?? null);
  if (found.length === 0) return { last, files: 0 };
  const messageIds = [...new Set(found.map(({ messageId }) => messageId))];
  // The message is locked before its files, as everywhere.
  await lockAttachments(tx, workspaceId, messageIds);
  const ids = await expireMedia(
    context,
    tx,
    workspaceId,
    found.map(({ id }) => id),
  );
  await markFiles(tx, workspaceId, messageIds, ids, EXPIRED);
  return { last, files: ids.length };
}
