import type { Context } from "../context.ts";
import type { Actor } from "../actor.ts";
import { isId } from "../lib/ids.ts";
import { keyActor } from "./api-key.ts";
import { selectKey, selectLive } from "./key-store.ts";

/**
 * Those of these keys that are neither revoked nor expired now, as the database says. For work that outlives a request.
 */
export async function liveKeys(
  context: Pick<Context, "db" | "clock">,
  keys: readonly { readonly workspaceId: string; readonly keyId: string }[],
): Promise<Set<string>> {
  return new Set(await selectLive(context.db, keys, context.clock.now()));
}

/** A key as the actor of work that goes on after its request, with its scopes; null when it is revoked, expired or unknown. */
export async function liveKeyActor(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  keyId: string,
): Promise<Actor | null> {
  if (!isId(keyId)) return null;
  const [key, live] = await Promise.all([
    selectKey(context.db, workspaceId, keyId),
    liveKeys(context, [{ workspaceId, keyId }]),
  ]);
  return key && live.has(keyId) ? keyActor({ ...key, keyId }) : null;
}
