import type { Tx } from "../db/database.ts";
import { freeLanesOf } from "./delivery-store.ts";

export { forgetFutureDeliveries } from "./delivery-store.ts";

/**
 * Frees the endpoints of a process that is gone, and returns how many. Their deliveries without a recorded answer are
 * sent again.
 */
export function freeEndpoints(tx: Tx, processId: string): Promise<number> {
  return freeLanesOf(tx, processId);
}
