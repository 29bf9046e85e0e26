import type { Tx } from "../db/database.ts";
import { freeLanesOf } from "./delivery-store.ts";

export { forgetFutureDeliveries } from "./delivery-store.ts";

/** Frees the endpoints that a process was sending to which is gone; what got no recorded answer is sent again. Gives how many. */
export function freeEndpoints(tx: Tx, processId: string): Promise<number> {
  return freeLanesOf(tx, processId);
}
