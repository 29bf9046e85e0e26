import type { Context } from "../context.ts";
import { secretPlace } from "./endpoint.ts";
import { selectSecret } from "./endpoint-store.ts";

/**
 * The secret of an endpoint, for a receiver that we run ourselves; null when there is no such endpoint. It is never
 * shown.
 */
export async function openSecret(
  context: Pick<Context, "db" | "sealer">,
  workspaceId: string,
  endpointId: string,
): Promise<string | null> {
  const sealed = await selectSecret(context.db, workspaceId, endpointId);
  return sealed && context.sealer.open(sealed, secretPlace(workspaceId, endpointId));
}
