import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import { emitEvents } from "./emit-events.ts";
import { listDeliveries, type Delivery } from "./list-deliveries.ts";
import { findEndpoint } from "./list-endpoints.ts";
import { write } from "../write.ts";

/**
 * Sends `endpoint.test` to this endpoint only, whatever kinds it asked for. Returns the delivery, which is `held` while
 * the endpoint is disabled. Throws NOT_FOUND.
 */
export const sendTestEvent = write(
  "endpoint.test",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId: string,
    endpointId: string,
  ): Promise<Delivery> => {
    await findEndpoint(context, workspaceId, endpointId);
    const occurredAt = context.clock.now().toISOString();
    await context.db.transaction(async (tx) => {
      const entry: AuditEntry = { action: "endpoint.tested", subject: endpointId };
      await audit(actor, context, tx, workspaceId, entry);
      await emitEvents(context, tx, [
        { workspaceId, type: "endpoint.test", data: { endpointId, occurredAt } },
      ]);
    });
    // For two tests at the same moment, both callers may get the later delivery.
    const { items } = await listDeliveries(context, workspaceId, endpointId, {
      type: "endpoint.test",
      limit: 1,
    });
    const [sent] = items;
    if (!sent) throw new Error("the delivery of a test event is not there");
    return sent;
  },
);
