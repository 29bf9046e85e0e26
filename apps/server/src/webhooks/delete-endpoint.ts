import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { webhookEndpoints } from "../operations/webhooks.ts";
import { audit } from "../workspaces/write-audit.ts";
import { perform } from "../write.ts";
import { byIndexAlone } from "./delivery-store.ts";
import { endpointNotFound } from "./endpoint.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { deleteEndpointRow, lockEndpoint } from "./endpoint-store.ts";
import { deleteLeftDeliveries, selectDeletedEndpoint, writeSwept } from "./prune-store.ts";

/**
 * Deletes an endpoint. Nothing is claimed for it any more, and what was waiting for it is deleted by a worker. A request
 * that is under way ends, and its answer is kept nowhere. Throws NOT_FOUND,
 * VERSION_MISMATCH.
 */
export const deleteEndpoint = perform(
  webhookEndpoints.deleteWebhookEndpoint,
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId,
    { id },
    { match },
  ): Promise<Record<string, never>> => {
    if (!isId(workspaceId) || !isId(id)) throw endpointNotFound();
    await context.db.transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, workspaceId, { id });
      if (!endpoint) throw endpointNotFound();
      match(presentEndpoint(endpoint));
      await deleteEndpointRow(tx, workspaceId, id, context.clock.now());
      await audit(actor, context, tx, workspaceId, {
        action: "endpoint.deleted",
        subject: id,
        facts: { name: endpoint.name ?? endpoint.url },
      });
    });
    context.wake.nudge("housekeeping");
    return {};
  },
);

/**
 * How long a deleted endpoint is remembered. An event that was being stored while it was deleted may add a delivery; no
 * transaction lasts that long.
 */
const REMEMBERED_MS = 60 * 60_000;

/** Deletes a batch of deliveries of deleted endpoints. Returns how many. */
export async function sweepDeletedEndpoints(
  context: Pick<Context, "db" | "clock">,
  limit: number,
): Promise<number> {
  return context.db.transaction(async (tx) => {
    const left = await selectDeletedEndpoint(tx);
    if (!left) return 0;
    tx.later(byIndexAlone(tx));
    const { workspaceId, endpointId, deletedAt } = left;
    const count = await deleteLeftDeliveries(tx, workspaceId, endpointId, limit);
    if (count === limit) return count;
    const now = context.clock.now();
    const isOver = now.getTime() - deletedAt.getTime() > REMEMBERED_MS;
    await writeSwept(tx, workspaceId, endpointId, isOver ? null : now);
    return count;
  });
}
