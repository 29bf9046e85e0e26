import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { selectDeliveries, type DeliveryRow } from "./delivery-store.ts";
import { findEndpoint } from "./list-endpoints.ts";

export type Delivery = DeliveryRow;

const STATES = ["pending", "delivered", "exhausted", "held"];

/**
 * The deliveries of an endpoint, newest first, each with its attempts: at most `limit` (1 to 200, default 50), those
 * before the given sequence for the next page. Throws NOT_FOUND, VALIDATION_FAILED.
 */
export async function listDeliveries(
  context: Pick<Context, "db">,
  workspaceId: string,
  endpointId: string,
  filter: { readonly state?: string; readonly before?: number; readonly limit?: number } = {},
): Promise<Delivery[]> {
  await findEndpoint(context, workspaceId, endpointId);
  if (filter.state !== undefined && !STATES.includes(filter.state)) {
    throw invalid("state", `must be one of ${STATES.join(", ")}`);
  }
  return selectDeliveries(context.db, workspaceId, endpointId, {
    state: filter.state ?? null,
    before: filter.before ?? null,
    limit: Math.min(Math.max(Math.trunc(filter.limit ?? 50), 1), 200),
  });
}
