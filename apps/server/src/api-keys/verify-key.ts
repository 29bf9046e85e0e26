import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { gather } from "../lib/gather.ts";
import { hashSecret, parseAuthorization, type Principal } from "./api-key.ts";
import { CACHE_MS, keyCache, type KeyCache, type KnownHalf } from "./key-cache.ts";
import { findByPublicKeys } from "./key-store.ts";

/** Our public halves have 25 of these characters, and our secrets 46. Anything much longer is no key of ours. */
const PUBLIC_HALF = /^[\w-]{1,64}$/;
const LONGEST_SECRET = 256;

/**
 * Stands in for the hash of an unknown public half, so that the check takes as long as for a wrong secret. Nobody knows
 * its secret.
 */
const NO_SECRET = hashSecret(randomBytes(32).toString("base64"));

/**
 * The principal of the `Authorization` header. Throws MISSING_API_KEY or MALFORMED_API_KEY. Throws INVALID_API_KEY
 * alike for an unknown key, a wrong secret, a revoked and an expired key, each after the same work: one look at what is
 * known of the public half, one hash, one comparison. After 20 of these in a minute for one public half and from one
 * address, and after 120 from one address, RATE_LIMITED takes their place. Right keys from there pass, because many people may
 * share an address, and who knows a public half must not lock its owner out. `address` is called only when it is needed,
 * before the first wait.
 */
export async function verifyKey(
  context: Pick<Context, "db" | "clock">,
  authorization: string | undefined,
  address: () => string,
): Promise<Principal> {
  const { publicKey, secret } = parseAuthorization(authorization);
  const cache = keyCache(context.db);
  const now = context.clock.now();
  const at = now.getTime();
  const bearer = `${publicKey}:${secret}`;
  const proven = cache.get(bearer, at);
  if (proven) {
    cache.touch(proven, now);
    return proven;
  }
  const from = address();
  // Nothing of it is kept, because a header may be 16 KB long.
  if (!PUBLIC_HALF.test(publicKey) || secret.length > LONGEST_SECRET)
    throw wrongFrom(cache, from, at);
  const { epoch } = cache;
  const half = cache.half(publicKey, at) ?? (await lookUp(context.db, publicKey, at));
  const right = timingSafeEqual(hashSecret(secret), half.secretHash);
  if (!right || half.principal === null || half.goodUntil <= at) {
    // No public half holds a space.
    const pair = `${publicKey} ${from}`;
    const waitMs = cache.wrongSecrets.waitMs(pair, at);
    if (waitMs > 0) throw rateLimited(waitMs);
    cache.wrongSecrets.note(pair, at);
    throw wrongFrom(cache, from, at);
  }
  const until = Math.min(half.since + CACHE_MS, half.goodUntil);
  cache.put(bearer, half.principal, { since: at, until }, epoch);
  cache.touch(half.principal, now);
  return half.principal;
}

/** The error for a wrong credential from an address, which it counts. */
function wrongFrom(cache: KeyCache, from: string, at: number): AppError {
  const waitMs = cache.wrongFrom.waitMs(from, at);
  if (waitMs > 0) return rateLimited(waitMs);
  cache.wrongFrom.note(from, at);
  return new AppError("INVALID_API_KEY");
}

const rateLimited = (waitMs: number): AppError =>
  new AppError("RATE_LIMITED", {
    explanation: "too many wrong keys in a minute from this address",
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });

/** Asks the database, together with all other callers of this turn of the event loop, and keeps the answer. */
async function lookUp(db: Db, publicKey: string, since: number): Promise<KnownHalf> {
  const cache = keyCache(db);
  const { epoch } = cache;
  const found = await finderOf(db)(publicKey);
  let half: KnownHalf;
  if (found === undefined)
    // A copy of its own, as a real key has one. A hash that all unknown halves share would always be in the processor's
    // cache.
    half = {
      secretHash: Buffer.from(NO_SECRET),
      principal: null,
      goodUntil: Number.NEGATIVE_INFINITY,
      since,
    };
  else {
    const { workspaceId, id: keyId, scopes, revokedAt, expiresAt } = found.key;
    half = {
      secretHash: found.secretHash,
      principal: revokedAt === null ? { workspaceId, keyId, publicKey, scopes } : null,
      goodUntil: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      since,
    };
  }
  cache.putHalf(publicKey, half, epoch);
  return half;
}

type Finder = ReturnType<typeof gather<FoundKey>>;
type FoundKey = NonNullable<ReturnType<Awaited<ReturnType<typeof findByPublicKeys>>["get"]>>;

const finders = new WeakMap<Db, Finder>();

function finderOf(db: Db): Finder {
  let find = finders.get(db);
  if (!find) {
    find = gather((publicKeys) => findByPublicKeys(db, publicKeys));
    finders.set(db, find);
  }
  return find;
}
