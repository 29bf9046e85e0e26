import { createHmac, timingSafeEqual } from "node:crypto";

/** hex HMAC-SHA256(identity secret, user id): the proof that the site's server vouches for the id. */
export function identityHash(secret: string, userId: string): string {
  return createHmac("sha256", secret).update(userId, "utf8").digest("hex");
}

/** In constant time; false, never a throw, for anything that is no such hash. Hex in either case. */
export function isIdentityProven(
  secret: string | undefined,
  userId: string,
  hash: string,
): boolean {
  if (!secret || !/^[0-9a-f]{64}$/i.test(hash)) return false;
  return timingSafeEqual(
    Buffer.from(hash, "hex"),
    Buffer.from(identityHash(secret, userId), "hex"),
  );
}
