import type { Context } from "../context.ts";
import { bytesKey, type MediaKey } from "./media.ts";
import { claimExpired, deleteRows, selectSharedBytes } from "./media-store.ts";
import { sweepSpool } from "./spool.ts";
import { storageOf } from "./storage-of.ts";
import { describeForLog } from "../db/describe-for-log.ts";

const BATCH = 100;

/**
 * Removes files that are past their time: those of withdrawn messages, and uploads that no message took within a day.
 * The bytes go first and the row after them, so that a crash in between leaves no bytes without a row. Bytes that
 * another file shares stay. It also removes what a dead process left in the spool. Gives how many files went: 0 when
 * there were none, or when the store did not answer.
 */
export async function sweepMedia(
  context: Pick<Context, "db" | "clock" | "config" | "providerHttp" | "log">,
): Promise<number> {
  const now = context.clock.now();
  const storage = storageOf(context);
  const gone: MediaKey[] = [];
  const expired = await claimExpired(context.db, now, BATCH);
  const shared = expired.length > 0 ? await selectSharedBytes(context.db, expired) : new Set();
  for (const key of expired) {
    try {
      if (!shared.has(key.bytesId)) await storage.remove(bytesKey(key));
      gone.push(key);
    } catch (error) {
      const { workspaceId, id } = key;
      context.log.warn(
        { workspaceId, mediaId: id, ...describeForLog(error) },
        "the bytes of a file could not be removed",
      );
    }
  }
  if (gone.length > 0) await deleteRows(context.db, gone);
  return gone.length + (await sweepSpool(context.config.dataDir, now));
}
