import type { Context } from "../context.ts";
import { selectSegments } from "./segment-store.ts";
import type { SegmentJson } from "../wire/segment.ts";

/** Every segment of the workspace, oldest first (spec, GET /v1/segments). */
export function listSegments(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<SegmentJson[]> {
  return selectSegments(context.db, workspaceId, null);
}
