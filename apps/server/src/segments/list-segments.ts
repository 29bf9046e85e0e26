import type { Context } from "../context.ts";
import { selectSegments } from "./segment-store.ts";
import type { Segment } from "./segment.ts";

/** Every segment of the workspace, oldest first (spec, GET /v1/segments). */
export function listSegments(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<Segment[]> {
  return selectSegments(context.db, workspaceId, null);
}
