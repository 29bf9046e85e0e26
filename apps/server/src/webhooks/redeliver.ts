import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { requeue } from "./delivery-store.ts";
import { findEndpoint } from "./list-endpoints.ts";

/**
 * Sends again: one event by its id (the `webhook-id` of the request), whatever came of it, or everything since a time
 * that is held or used up its retries. Events are kept for 30 days. Each starts a new round of the retry schedule.
 * Gives the number of deliveries. Throws NOT_FOUND, and NOT_ALLOWED_IN_STATE while the endpoint is disabled.
 */
export async function redeliver(
  context: Pick<Context, "db" | "clock" | "wake">,
  workspaceId: string,
  endpointId: string,
  which: { readonly eventId: string } | { readonly since: Date },
): Promise<number> {
  const endpoint = await findEndpoint(context, workspaceId, endpointId);
  if (endpoint.disabledAt) {
    throw new AppError("NOT_ALLOWED_IN_STATE", {
      explanation: "the endpoint is disabled: enable it first, which also sends what is held",
    });
  }
  const unknown = "eventId" in which && !isId(which.eventId);
  const count = unknown
    ? 0
    : await requeue(context.db, workspaceId, endpointId, which, context.clock.now());
  if (count === 0 && "eventId" in which) {
    throw new AppError("NOT_FOUND", {
      explanation: `this endpoint has no delivery of event ${which.eventId}; events are kept for 30 days`,
    });
  }
  if (count > 0) context.wake.nudge("deliveries");
  return count;
}
