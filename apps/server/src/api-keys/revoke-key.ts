import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import type { ApiKey } from "./api-key.ts";
import { keyCache } from "./key-cache.ts";
import { markRevoked } from "./key-store.ts";

/**
 * Ends a key: at once in this process, within five seconds in every other (contract §5, Credential). Revoking again
 * changes nothing. `workspaceId` is null at the command line, which names the key alone. Throws NOT_FOUND.
 */
export async function revokeKey(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string | null,
  keyId: string,
): Promise<ApiKey> {
  const known = isId(keyId) && (workspaceId === null || isId(workspaceId));
  const key = known ? await markRevoked(context.db, workspaceId, keyId, context.clock.now()) : null;
  if (!key) throw new AppError("NOT_FOUND", { explanation: `there is no key ${keyId}` });
  keyCache(context.db).clear();
  return key;
}
