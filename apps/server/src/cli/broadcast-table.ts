import type { Broadcast } from "../broadcasts/broadcast.ts";
import { instant, table } from "./table.ts";

/** A line for each campaign; `broadcast show` has the rest. */
export function broadcastTable(broadcasts: readonly Broadcast[]): string {
  return table(
    ["id", "name", "kind", "status", "sent", "failed", "skipped", "of", "created"],
    broadcasts.map((one) => [
      one.id,
      one.name,
      one.kind,
      one.statusReason === null ? one.status : `${one.status} (${one.statusReason})`,
      String(one.sentCount),
      String(one.failedCount),
      String(one.skippedCount),
      String(one.totalCount),
      instant(one.createdAt),
    ]),
  );
}
