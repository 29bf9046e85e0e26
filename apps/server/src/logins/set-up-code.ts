import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../context.ts";

/**
 * The code with which a stranger may set up the first owner. It is derived from the master key, so every process and
 * command has the same one and it is stored nowhere. It opens nothing once a login exists.
 */
export function setUpCode(context: Pick<Context, "sealer">): string {
  const key = context.sealer.derive("set-up-code");
  return createHmac("sha256", key).update("").digest("base64url").slice(0, 24);
}

/** Whether this is the code. It takes the same time for every text. */
export function isSetUpCode(context: Pick<Context, "sealer">, given: string): boolean {
  const digest = (text: string) => createHmac("sha256", "").update(text).digest();
  return timingSafeEqual(digest(given.trim()), digest(setUpCode(context)));
}

/** The page on which the first owner is set up. The code stands behind the `#`, which no browser sends to a server. */
export const setUpLink = (context: Pick<Context, "sealer" | "config">): string =>
  `${context.config.publicUrl}/setup#${setUpCode(context)}`;
