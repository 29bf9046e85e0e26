import type { Context } from "../context.ts";
import { MOST_AHEAD_MS } from "../lib/clock.ts";
import { MOST_WAIT_MS } from "./fetch-policy.ts";
import { forgetFuture } from "./fetch-store.ts";

/** Files that were named or tried while the machine's clock stood far ahead are asked for now. Gives how many. */
export function forgetFutureFiles(context: Pick<Context, "db" | "clock">): Promise<number> {
  const now = context.clock.now();
  const first = new Date(now.getTime() + MOST_AHEAD_MS);
  return forgetFuture(context.db, now, { first, latest: new Date(first.getTime() + MOST_WAIT_MS) });
}
