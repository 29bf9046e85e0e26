import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { endpointNotFound, type Endpoint } from "./endpoint.ts";
import { selectEndpoint, selectEndpoints, selectWorkspaceOfEndpoint } from "./endpoint-store.ts";

/** Every endpoint of the workspace, oldest first. */
export async function listEndpoints(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<Endpoint[]> {
  return isId(workspaceId) ? selectEndpoints(context.db, workspaceId) : [];
}

/** One endpoint. Throws NOT_FOUND. */
export async function findEndpoint(
  context: Pick<Context, "db">,
  workspaceId: string,
  endpointId: string,
): Promise<Endpoint> {
  const known = isId(workspaceId) && isId(endpointId);
  const endpoint = known ? await selectEndpoint(context.db, workspaceId, endpointId) : undefined;
  if (!endpoint) throw endpointNotFound();
  return endpoint;
}

/** The workspace of an endpoint, for the command line, which names only the endpoint. Throws NOT_FOUND. */
export async function workspaceOfEndpoint(
  context: Pick<Context, "db">,
  endpointId: string,
): Promise<string> {
  const id = isId(endpointId) ? await selectWorkspaceOfEndpoint(context.db, endpointId) : undefined;
  if (id === undefined) throw endpointNotFound();
  return id;
}
