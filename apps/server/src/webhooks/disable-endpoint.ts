import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { DISABLED_BY_HAND, endpointNotFound, type Endpoint } from "./endpoint.ts";
import { markDisabled, selectEndpoint } from "./endpoint-store.ts";
import { write } from "../write.ts";

/**
 * Stops an endpoint's deliveries. Waiting and new ones are held for 30 days. It writes one row, however many wait.
 * Throws NOT_FOUND.
 */
export const disableEndpoint = write(
  "endpoint.disable",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock">,
    workspaceId: string,
    endpointId: string,
  ): Promise<Endpoint> => {
    if (!isId(workspaceId) || !isId(endpointId)) throw endpointNotFound(endpointId);
    return context.db.transaction(async (tx) => {
      const at = context.clock.now();
      const disabled = await markDisabled(tx, workspaceId, endpointId, DISABLED_BY_HAND, at);
      const entry: AuditEntry = { action: "endpoint.disabled", subject: endpointId };
      if (disabled) await audit(actor, context, tx, workspaceId, entry);
      const endpoint = disabled ?? (await selectEndpoint(tx, workspaceId, endpointId));
      if (!endpoint) throw endpointNotFound(endpointId);
      return endpoint;
    });
  },
);
