import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { endpointNotFound, ROTATION_OVERLAP_MS, secretPlace, type Endpoint } from "./endpoint.ts";
import { replaceSecret } from "./endpoint-store.ts";
import { newSecret } from "./sign.ts";

/**
 * Gives the endpoint a new secret, shown here only. For 24 hours deliveries are signed with both, so that the receiver
 * can change over without losing one. Rotating again within that time ends the oldest. Throws NOT_FOUND.
 */
export async function rotateSecret(
  context: Pick<Context, "db" | "clock" | "sealer">,
  workspaceId: string,
  endpointId: string,
): Promise<Endpoint & { readonly secret: string }> {
  if (!isId(workspaceId) || !isId(endpointId)) throw endpointNotFound(endpointId);
  const secret = newSecret();
  const endpoint = await replaceSecret(
    context.db,
    workspaceId,
    endpointId,
    context.sealer.seal(secret, secretPlace(workspaceId, endpointId)),
    new Date(context.clock.now().getTime() + ROTATION_OVERLAP_MS),
  );
  if (!endpoint) throw endpointNotFound(endpointId);
  return { ...endpoint, secret };
}
