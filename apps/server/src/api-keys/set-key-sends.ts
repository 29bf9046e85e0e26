import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { KEY_SENDS } from "../wire/words.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import type { ApiKey } from "./api-key.ts";
import { keyCache } from "./key-cache.ts";
import { writeSends } from "./key-store.ts";

/**
 * Sets who decides on what an assistant sends with a key: for calls that begin later, in this process at once and in every
 * other within five seconds. `workspaceId` is null at the command line, which names the key alone. Throws
 * VALIDATION_FAILED, NOT_FOUND, and NOT_ALLOWED_IN_STATE for a revoked key.
 */
export const setKeySends = write(
  "api_key.set_sends",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock">,
    workspaceId: string | null,
    keyId: string,
    given: string,
  ): Promise<ApiKey> => {
    const sends = KEY_SENDS.find((one) => one === given);
    if (!sends) throw invalid("sends", `must be one of ${KEY_SENDS.join(", ")}`);
    const known = isId(keyId) && (workspaceId === null || isId(workspaceId));
    const set = await context.db.transaction(async (tx) => {
      const written = known ? await writeSends(tx, workspaceId, keyId, sends) : null;
      if (!written) throw new AppError("NOT_FOUND", { explanation: `there is no key ${keyId}` });
      const { key, before } = written;
      if (key.revokedAt !== null)
        throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "the key is revoked" });
      if (before !== sends)
        await audit(actor, context, tx, key.workspaceId, {
          action: "api_key.updated",
          subject: keyId,
          facts: { name: key.name, sends, before },
        });
      return key;
    });
    keyCache(context.db).clear();
    return set;
  },
);
