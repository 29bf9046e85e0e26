import type { Context } from "../context.ts";
import { byIndexAlone } from "./delivery-store.ts";
import { KEEP_EVENTS_MS } from "./endpoint.ts";
import { deleteEvents } from "./prune-store.ts";

/** Deletes one batch of events older than 30 days, with their deliveries; gives how many. */
export function pruneEvents(
  context: Pick<Context, "db" | "clock">,
  limit: number,
): Promise<number> {
  const before = context.clock.now().getTime() - KEEP_EVENTS_MS;
  return context.db.transaction((tx) => {
    tx.later(byIndexAlone(tx));
    return deleteEvents(tx, lowestIdAt(before), limit);
  });
}

/** The lowest UUIDv7 of a millisecond: what was made before it has a lower id. */
function lowestIdAt(milliseconds: number): string {
  const hex = milliseconds.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
