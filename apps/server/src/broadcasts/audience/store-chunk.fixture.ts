import type { Context } from "../../context.ts";
import type { Background } from "../../lib/background.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import { storeTurn } from "./store-audience.ts";

/**
 * Stores the next `limit` contacts of a campaign's audience as the worker does, on the context's own database and
 * without rests for others. False: the campaign was not queued.
 */
export function storeChunk(
  context: Context,
  key: BroadcastKey,
  limit: number = 5_000,
): Promise<boolean> {
  const { db } = context;
  const background: Background = {
    db,
    watch: async () => {},
    size: async () => limit,
    piece: (work) => work(db),
  };
  return storeTurn({ ...context, background }, key, 1);
}
