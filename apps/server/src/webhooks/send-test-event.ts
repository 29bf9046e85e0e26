import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { selectDeliveries } from "./delivery-log-store.ts";
import { emitEvents } from "./emit-events.ts";
import type { Delivery } from "./list-deliveries.ts";
import { findEndpoint } from "./list-endpoints.ts";
import { write } from "../write.ts";

/**
 * Sends `endpoint.test` to this endpoint only, whatever kinds it asked for. Returns the delivery, which is `held` while
 * the endpoint is disabled. `within` runs in the transaction, before its commit. Throws NOT_FOUND.
 */
export const sendTestEvent = write(
  "endpoint.test",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId: string,
    endpointId: string,
    within: (tx: Tx, delivery: Delivery) => Promise<void> = async () => {},
  ): Promise<Delivery> => {
    const { disabledAt } = await findEndpoint(context, workspaceId, endpointId);
    const occurredAt = context.clock.now().toISOString();
    return context.db.transaction(async (tx) => {
      const entry: AuditEntry = { action: "endpoint.tested", subject: endpointId };
      await audit(actor, context, tx, workspaceId, entry);
      await emitEvents(context, tx, [
        { workspaceId, type: "endpoint.test", data: { endpointId, occurredAt } },
      ]);
      await tx.sendLast();
      // The transaction holds the numbers of the workspace's events, so the newest test is this one.
      const newest = { state: null, type: "endpoint.test", before: null, limit: 1 };
      const its = { id: endpointId, disabled: disabledAt !== null };
      const [sent] = await selectDeliveries(tx, workspaceId, its, newest, 1);
      if (!sent) throw new Error("the delivery of a test event is not there");
      await within(tx, sent);
      return sent;
    });
  },
);
