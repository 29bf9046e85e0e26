import type { Context } from "../context.ts";
import { keyCache } from "./key-cache.ts";
import { markUsed } from "./key-store.ts";

/**
 * Writes `last_used_at` of the keys this process saw since the last call, in one statement; gives their number.
 * A crash loses some seconds of it, which is why no request waits for it.
 */
export async function recordKeyUse(context: Pick<Context, "db">): Promise<number> {
  const touched = keyCache(context.db).takeTouched();
  if (touched.size === 0) return 0;
  // Rows in one order, so that two processes do not lock each other out.
  const uses = [...touched].sort(([a], [b]) => (a < b ? -1 : 1));
  await markUsed(
    context.db,
    uses.map(([keyId, { workspaceId, at }]) => ({ workspaceId, keyId, at })),
  );
  return touched.size;
}
