import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "./clock.ts";

/** Gives turns one after another, at least `gapMs` apart by `clock`. It is for gateways that shut out fast callers. */
export function createTurns(clock: Clock, gapMs: number): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = clock.now().getTime();
    // Nobody waits for ever when the clock is set back.
    const start = Math.min(Math.max(now, next), now + gapMs * 1_000);
    next = start + gapMs;
    if (start > now) await wait(start - now);
  };
}
