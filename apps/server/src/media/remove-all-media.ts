import type { Context } from "../context.ts";
import { bytesKey } from "./media.ts";
import { deleteRows, selectSomeMedia } from "./media-store.ts";
import { storageOf } from "./storage-of.ts";

const BATCH = 100;

/**
 * Removes every file of a workspace that is being deleted. The bytes go first and the row after them, so that a crash
 * leaves no bytes without a row. Calls `told` with the number removed so far, and gives the whole number. Throws
 * `StorageFault` when the store does not answer.
 */
export async function removeAllMedia(
  context: Pick<Context, "db" | "clock" | "config" | "providerHttp">,
  workspaceId: string,
  told: (removed: number) => void,
): Promise<number> {
  const storage = storageOf(context);
  for (let removed = 0; ; told(removed)) {
    const keys = await selectSomeMedia(context.db, workspaceId, BATCH);
    if (keys.length === 0) return removed;
    for (const key of keys) await storage.remove(bytesKey(key));
    await deleteRows(context.db, keys);
    removed += keys.length;
  }
}
