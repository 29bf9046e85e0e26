import type { Context } from "../context.ts";
import { selectLive } from "./key-store.ts";

/** Which of these keys are neither revoked nor expired now, as the database says: for what outlives a request. */
export async function liveKeys(
  context: Pick<Context, "db" | "clock">,
  keys: readonly { readonly workspaceId: string; readonly keyId: string }[],
): Promise<Set<string>> {
  return new Set(await selectLive(context.db, keys, context.clock.now()));
}
