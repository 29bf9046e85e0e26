import { createHmac, createHash, timingSafeEqual } from "node:crypto";
import type { RawWebhook } from "../../adapter.ts";

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/**
 * True when `X-Hub-Signature-256` is the HMAC-SHA256 of the raw bytes under the app secret (channels.md §1.5). Meta
 * sends lower-case hex, so upper-case is refused like any other form; the old sha1 header is not looked at.
 */
export function verifyMetaSignature(request: RawWebhook, appSecret: string | undefined): boolean {
  const given = SIGNATURE.exec(request.headers["x-hub-signature-256"] ?? "")?.[1];
  if (given === undefined || !appSecret) return false;
  const expected = createHmac("sha256", appSecret).update(request.body).digest();
  return timingSafeEqual(expected, Buffer.from(given, "hex"));
}

/** The challenge to answer to Meta's GET handshake (channels.md §1.4), or null when the token is not ours. */
export function metaChallenge(
  query: Readonly<Record<string, string>>,
  verifyToken: string | undefined,
): string | null {
  const challenge = query["hub.challenge"];
  const token = query["hub.verify_token"];
  if (query["hub.mode"] !== "subscribe" || challenge === undefined || token === undefined)
    return null;
  if (!verifyToken || !timingSafeEqual(digest(token), digest(verifyToken))) return null;
  return challenge;
}

// Hashing first makes texts of any length comparable in constant time.
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
