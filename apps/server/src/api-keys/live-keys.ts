import type { Context } from "../context.ts";
import { selectLive } from "./key-store.ts";

/**
 * Those of these keys that are neither revoked nor expired now, as the database says. For work that outlives a request.
 */
export async function liveKeys(
  context: Pick<Context, "db" | "clock">,
  keys: readonly { readonly workspaceId: string; readonly keyId: string }[],
): Promise<Set<string>> {
  return new Set(await selectLive(context.db, keys, context.clock.now()));
}
