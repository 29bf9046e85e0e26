import { listSegments } from "../../segments/list-segments.ts";
import type { Call } from "./route.ts";

/** GET /v1/segments */
export async function getSegments({ context, principal }: Call): Promise<string> {
  return JSON.stringify(await listSegments(context, principal.workspaceId));
}
