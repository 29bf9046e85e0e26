import { createHmac, timingSafeEqual } from "node:crypto";
import type { RawWebhook } from "../../adapter.ts";

const SIGNATURE = /^t=(\d{1,12}),s=([0-9a-f]{64})$/;

/** It is not documented whether a retry has a new time, so five minutes are allowed (channels.md §11 point 6). */
const TOLERANCE_S = 300;

/**
 * True when `TikTok-Signature: t=…,s=…` is the HMAC-SHA256 of `<t>.<raw body>` under the app secret and `t` lies
 * within five minutes of the time the call came in, before or after (channels.md §6.4).
 */
export function verifyTikTokSignature(request: RawWebhook, appSecret: string | undefined): boolean {
  const given = SIGNATURE.exec(request.headers["tiktok-signature"] ?? "");
  const at = given?.[1];
  const digest = given?.[2];
  if (at === undefined || digest === undefined || !appSecret) return false;
  const now = (request.receivedAt?.getTime() ?? Number.NaN) / 1000;
  // Also false when the time is not known.
  if (!(Math.abs(now - Number(at)) <= TOLERANCE_S)) return false;
  const expected = createHmac("sha256", appSecret).update(`${at}.`).update(request.body).digest();
  return timingSafeEqual(expected, Buffer.from(digest, "hex"));
}
