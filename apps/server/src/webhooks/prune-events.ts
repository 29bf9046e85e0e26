import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { lowestIdAt } from "../lib/ids.ts";
import { byIndexAlone } from "./delivery-store.ts";
import { KEEP_EVENTS_MS } from "./endpoint.ts";
import { deleteEvents, deleteEventsOf } from "./prune-store.ts";

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

/** Deletes up to `limit` events of one workspace that are older than this, with their deliveries. Gives how many. */
export async function expireEvents(
  tx: Tx,
  workspaceId: string,
  before: Date,
  limit: number,
): Promise<number> {
  await byIndexAlone(tx);
  return deleteEventsOf(tx, workspaceId, lowestIdAt(before), limit);
}
