import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../context.ts";

/**
 * What lets a phone screen play the customers of one sandbox channel: unguessable, the same for every process, stored
 * nowhere (derived from the master key). It opens nothing but that channel's customers.
 */
export function sandboxToken(context: Pick<Context, "sealer">, lineId: string): string {
  const key = context.sealer.derive("sandbox-token");
  return `sandbox_${createHmac("sha256", key).update(lineId).digest("base64url")}`;
}

/** In constant time; false for anything else. */
export function isSandboxToken(
  context: Pick<Context, "sealer">,
  lineId: string,
  given: string,
): boolean {
  const digest = (text: string) => createHmac("sha256", "").update(text).digest();
  return timingSafeEqual(digest(given), digest(sandboxToken(context, lineId)));
}
