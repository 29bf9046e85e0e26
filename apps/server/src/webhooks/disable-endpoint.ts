import type { Actor } from "../actor.ts";
import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import { emitEvents } from "./emit-events.ts";
import { DISABLED_BY_HAND, disabledEvent, endpointNotFound, type Endpoint } from "./endpoint.ts";
import { markDisabled, selectEndpoint } from "./endpoint-store.ts";
import { write } from "../write.ts";

/**
 * Stops an endpoint's deliveries. Waiting and new ones are held for 30 days. It writes one row, however many wait.
 * Emits `webhook.disabled`. Throws NOT_FOUND.
 */
export const disableEndpoint = write(
  "endpoint.disable",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId: string,
    endpointId: string,
  ): Promise<Endpoint> => {
    if (!isId(workspaceId) || !isId(endpointId)) throw endpointNotFound();
    return context.db.transaction((tx) =>
      disableWithin(actor, context, tx, workspaceId, endpointId),
    );
  },
);

/** The same in a transaction of the caller, which does nothing afterwards that needs a lock. */
export async function disableWithin(
  actor: Actor,
  context: Pick<Context, "ids" | "clock" | "wake">,
  tx: Tx,
  workspaceId: string,
  endpointId: string,
): Promise<Endpoint> {
  const at = context.clock.now();
  const disabled = await markDisabled(tx, workspaceId, endpointId, DISABLED_BY_HAND, at);
  if (disabled) {
    const entry: AuditEntry = { action: "endpoint.disabled", subject: endpointId };
    await audit(actor, context, tx, workspaceId, entry);
    await emitEvents(context, tx, [disabledEvent(disabled, at)]);
  }
  const endpoint = disabled ?? (await selectEndpoint(tx, workspaceId, endpointId));
  if (!endpoint) throw endpointNotFound();
  return endpoint;
}
