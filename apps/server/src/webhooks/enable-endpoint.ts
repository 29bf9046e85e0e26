import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { endpointNotFound, type Endpoint } from "./endpoint.ts";
import { markEnabled } from "./endpoint-store.ts";

/** Enables an endpoint with a clean count; what was held goes out now. Throws NOT_FOUND. */
export async function enableEndpoint(
  context: Pick<Context, "db" | "clock" | "wake">,
  workspaceId: string,
  endpointId: string,
): Promise<Endpoint> {
  if (!isId(workspaceId) || !isId(endpointId)) throw endpointNotFound(endpointId);
  return context.db.transaction(async (tx) => {
    const endpoint = await markEnabled(tx, workspaceId, endpointId, context.clock.now());
    if (!endpoint) throw endpointNotFound(endpointId);
    tx.afterCommit(() => context.wake.nudge("deliveries"));
    return endpoint;
  });
}
