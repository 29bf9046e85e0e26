import type { Context } from "../context.ts";
import { keyCache } from "./key-cache.ts";
import { markUsed } from "./key-store.ts";

/**
 * Writes `last_used_at` of the keys that this process has seen since the last call, in one statement. Gives how many.
 * No request waits for it, so a crash loses some seconds of it.
 */
export async function recordKeyUse(context: Pick<Context, "db">): Promise<number> {
  const touched = keyCache(context.db).takeTouched();
  if (touched.size === 0) return 0;
  // Rows are written in one order, so that two processes do not lock each other out.
  const uses = [...touched].sort(([a], [b]) => (a < b ? -1 : 1));
  await markUsed(
    context.db,
    uses.map(([keyId, { workspaceId, at }]) => ({ workspaceId, keyId, at })),
  );
  return touched.size;
}
