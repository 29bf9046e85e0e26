import type { Context } from "../context.ts";
import { sweepSilent } from "./visitor-store.ts";
import { TOKEN_LIFE_MS } from "./visitor-token.ts";

/** A page tells who its visitor is with every session: what it said is needed for one that writes soon. */
const SAID_MS = 2 * 24 * 3_600_000;
const BATCH = 5_000;

/**
 * Forgets browsers that never wrote: what an anonymous one said of itself after two days, which tokens are over once
 * those have ended anyway. Otherwise sessions opened all day would fill the database. Gives how many went.
 */
export function sweepVisitors(context: Pick<Context, "db" | "clock">): Promise<number> {
  const now = context.clock.now().getTime();
  return sweepSilent(context.db, {
    saidBefore: new Date(now - SAID_MS),
    endedBefore: new Date(now - TOKEN_LIFE_MS),
    limit: BATCH,
  });
}
