import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../context.ts";

/**
 * The token with which a phone screen plays the customers of one sandbox channel, and of no other. It cannot be
 * guessed, is the same in every process, and is not stored: it is derived from the master key.
 */
export function sandboxToken(context: Pick<Context, "sealer">, lineId: string): string {
  return tokenWith(context.sealer.derive("sandbox-token"), lineId);
}

const tokenWith = (key: Buffer, lineId: string): string =>
  `sandbox_${createHmac("sha256", key).update(lineId).digest("base64url")}`;

/** Whether this is the channel's token. It takes the same time for every text. */
export function isSandboxToken(
  context: Pick<Context, "sealer">,
  lineId: string,
  given: string,
): boolean {
  const digest = (text: string) => createHmac("sha256", "").update(text).digest();
  const rights = context.sealer.accepted("sandbox-token").map((key) => tokenWith(key, lineId));
  return rights.filter((right) => timingSafeEqual(digest(given), digest(right))).length > 0;
}
