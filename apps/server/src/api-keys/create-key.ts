import type { Context } from "../context.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import { sqlState } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { KEY_SENDS, SCOPES, type Scope } from "../wire/words.ts";
import { hashSecret, isScope, newCredential, type ApiKey } from "./api-key.ts";
import { keyCache } from "./key-cache.ts";
import { insertKey } from "./key-store.ts";

export interface NewKey {
  readonly name?: string;
  /** None: full access (spec, Authentication §5). */
  readonly scopes?: readonly string[];
  readonly expiresAt?: Date | null;
  /** Who decides on what an assistant sends with it; `approve` when absent. */
  readonly sends?: string | undefined;
}

/**
 * A new key with its secret. The secret is shown only here, because only its hash is stored. `bearer` is both halves,
 * joined for the header.
 */
export interface CreatedKey extends ApiKey {
  readonly secret: string;
  readonly bearer: string;
}

/**
 * Creates a key. Throws VALIDATION_FAILED for an unknown scope or an expiry in the past, NOT_FOUND for the workspace.
 */
export const createKey = write(
  "api_key.create",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock">,
    workspaceId: string,
    input: NewKey = {},
  ): Promise<CreatedKey> => {
    const scopes: Scope[] = [];
    for (const scope of new Set(input.scopes)) {
      if (!isScope(scope))
        throw invalid("scopes", `${scope} is not a scope; there are ${SCOPES.join(", ")}`);
      scopes.push(scope);
    }
    const sends = KEY_SENDS.find((one) => one === (input.sends ?? "approve"));
    if (!sends) throw invalid("sends", `must be one of ${KEY_SENDS.join(", ")}`);
    const name = input.name?.trim() || "API key";
    if (name.length > 200) throw invalid("name", "must be at most 200 characters");
    const createdAt = context.clock.now();
    const expiresAt = input.expiresAt ?? null;
    if (expiresAt && !(expiresAt > createdAt)) throw invalid("expiresAt", "must be in the future");
    const unknown = new AppError("NOT_FOUND", {
      explanation: `there is no workspace ${workspaceId}`,
    });
    const workspace = await findWorkspace(context, workspaceId);
    if (!workspace) throw unknown;
    const { publicKey, secret } = newCredential(workspace.kind);
    const key: ApiKey = {
      id: context.ids.next(),
      workspaceId,
      name,
      publicKey,
      scopes,
      sends,
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      createdAt,
    };
    try {
      await context.db.transaction(async (tx) => {
        await insertKey(tx, key, hashSecret(secret));
        const facts = { name, scopes, sends, publicKey, expiresAt };
        await audit(actor, context, tx, workspaceId, {
          action: "api_key.created",
          subject: key.id,
          facts,
        });
      });
    } catch (error) {
      throw sqlState(error) === "23503" ? unknown : error;
    }
    keyCache(context.db).forget(publicKey);
    return { ...key, secret, bearer: `${publicKey}:${secret}` };
  },
);
