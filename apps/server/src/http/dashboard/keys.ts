import { SCOPES } from "../../wire/words.ts";
import type { ApiKey } from "../../api-keys/api-key.ts";
import { createKey } from "../../api-keys/create-key.ts";
import { listKeys } from "../../api-keys/list-keys.ts";
import { revokeKey } from "../../api-keys/revoke-key.ts";
import { setKeySends } from "../../api-keys/set-key-sends.ts";
import type { keys } from "./contract/keys.ts";
import type { Handlers } from "./handlers.ts";

type Names = "listKeys" | "createKey" | "setKeySends" | "revokeKey";

/** API keys: created, shown without their secrets, changed, revoked. */
export const keysHandlers: Handlers<Pick<typeof keys, Names>> = {
  async listKeys(context, { caller }) {
    const items = await listKeys(context, caller.workspaceId);
    const apiUrl = new URL("/api", context.config.publicUrl).href;
    return { items: items.map(presentKey), scopes: [...SCOPES], apiUrl };
  },

  async createKey(context, { caller, body: { name, scopes, sends, expiresAt } }) {
    const { bearer, ...key } = await createKey(caller.actor, context, caller.workspaceId, {
      name,
      scopes,
      sends,
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
    });
    return { key: presentKey(key), bearer };
  },

  async setKeySends(context, { caller: { actor, workspaceId }, params, body: { sends } }) {
    return presentKey(await setKeySends(actor, context, workspaceId, params.id, sends));
  },

  async revokeKey(context, { caller, params }) {
    return presentKey(await revokeKey(caller.actor, context, caller.workspaceId, params.id));
  },
};

function presentKey(key: ApiKey) {
  const { id, name, publicKey, scopes, sends, expiresAt, revokedAt, lastUsedAt, createdAt } = key;
  return {
    id,
    name,
    publicKey,
    scopes: [...scopes],
    sends,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
