import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { endpointNotFound, type Endpoint } from "./endpoint.ts";
import { markDisabled, selectEndpoint } from "./endpoint-store.ts";

/** Stops deliveries by hand; what waits and what comes is held for 30 days. One row is written, whatever waits. Throws NOT_FOUND. */
export async function disableEndpoint(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  endpointId: string,
): Promise<Endpoint> {
  if (!isId(workspaceId) || !isId(endpointId)) throw endpointNotFound(endpointId);
  return context.db.transaction(async (tx) => {
    const at = context.clock.now();
    const endpoint =
      (await markDisabled(tx, workspaceId, endpointId, "disabled by hand", at)) ??
      (await selectEndpoint(tx, workspaceId, endpointId));
    if (!endpoint) throw endpointNotFound(endpointId);
    return endpoint;
  });
}
