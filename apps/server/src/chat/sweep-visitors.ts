import type { Context } from "../context.ts";
import { sweepSilent } from "./visitor-store.ts";
import { TOKEN_LIFE_MS } from "./visitor-token.ts";

/** A page describes its visitor at every session. We need that only for a visitor who writes soon. */
const SAID_MS = 2 * 24 * 3_600_000;
const BATCH = 5_000;

/**
 * Deletes browsers that never wrote: what an anonymous browser said after two days, and ended tokens once they
 * have expired anyway. Otherwise sessions that are opened all day would fill the database. Returns how many.
 */
export function sweepVisitors(context: Pick<Context, "db" | "clock">): Promise<number> {
  const now = context.clock.now().getTime();
  return sweepSilent(context.db, {
    saidBefore: new Date(now - SAID_MS),
    endedBefore: new Date(now - TOKEN_LIFE_MS),
    limit: BATCH,
  });
}
