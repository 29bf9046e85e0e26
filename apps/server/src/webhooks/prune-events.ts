import type { Context } from "../context.ts";
import { lowestIdAt } from "../lib/ids.ts";
import { byIndexAlone } from "./delivery-store.ts";
import { KEEP_EVENTS_MS } from "./endpoint.ts";
import { deleteEvents } from "./prune-store.ts";

/** Deletes a batch of up to `limit` events older than 30 days, with their deliveries. Returns how many. */
export function pruneEvents(
  context: Pick<Context, "db" | "clock">,
  limit: number,
): Promise<number> {
  const before = new Date(context.clock.now().getTime() - KEEP_EVENTS_MS);
  return context.db.transaction((tx) => {
    tx.later(byIndexAlone(tx));
    return deleteEvents(tx, lowestIdAt(before), limit);
  });
}
