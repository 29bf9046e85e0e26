import type { Context } from "../context.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import type { ApiKey } from "./api-key.ts";
import { keyCache } from "./key-cache.ts";
import { markRevoked } from "./key-store.ts";

/**
 * Revokes a key: at once in this process, within five seconds in every other (contract §5, Credential). Revoking again
 * changes nothing. `workspaceId` is null at the command line, which names the key alone. Throws NOT_FOUND.
 */
export const revokeKey = write(
  "api_key.revoke",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock">,
    workspaceId: string | null,
    keyId: string,
  ): Promise<ApiKey> => {
    const known = isId(keyId) && (workspaceId === null || isId(workspaceId));
    const now = context.clock.now();
    const key = known
      ? await context.db.transaction(async (tx) => {
          const revoked = await markRevoked(tx, workspaceId, keyId, now);
          // A key that was revoked before does not change, so nothing is written to the audit.
          if (revoked?.revokedAt?.getTime() === now.getTime())
            await audit(actor, context, tx, revoked.workspaceId, {
              action: "api_key.revoked",
              subject: keyId,
              facts: { name: revoked.name },
            });
          return revoked;
        })
      : null;
    if (!key) throw new AppError("NOT_FOUND", { explanation: `there is no key ${keyId}` });
    keyCache(context.db).clear();
    return key;
  },
);
