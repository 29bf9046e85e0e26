import { timingSafeEqual } from "node:crypto";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { hashSecret, parseAuthorization, type Principal } from "./api-key.ts";
import { CACHE_MS, keyCache } from "./key-cache.ts";
import { findByPublicKey } from "./key-store.ts";

// What an unknown public half is compared with, so that it takes the time of a wrong secret.
const NO_KEY = hashSecret("no such key");

/**
 * Who the `Authorization` header is. Throws MISSING_API_KEY, MALFORMED_API_KEY, or INVALID_API_KEY for unknown,
 * wrong secret, revoked and expired alike, each after the same work: one read, one hash, one comparison.
 */
export async function verifyKey(
  context: Pick<Context, "db" | "clock">,
  authorization: string | undefined,
): Promise<Principal> {
  const { publicKey, secret } = parseAuthorization(authorization);
  const cache = keyCache(context.db);
  const now = context.clock.now();
  const bearer = `${publicKey}:${secret}`;
  const cached = cache.get(bearer, now.getTime());
  if (cached) {
    cache.touch(cached, now);
    return cached;
  }
  const { epoch } = cache;
  // PostgreSQL cannot take a NUL (22021); no key holds one.
  const found = await findByPublicKey(context.db, publicKey.replaceAll("\0", "?"));
  const proven = timingSafeEqual(hashSecret(secret), found?.secretHash ?? NO_KEY);
  const expiry = found?.key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  if (!found || !proven || found.key.revokedAt || expiry <= now.getTime())
    throw new AppError("INVALID_API_KEY");
  const { workspaceId, id: keyId, scopes } = found.key;
  const principal = { workspaceId, keyId, publicKey, scopes };
  const since = now.getTime();
  cache.put(bearer, principal, { since, until: Math.min(since + CACHE_MS, expiry) }, epoch);
  cache.touch(principal, now);
  return principal;
}
