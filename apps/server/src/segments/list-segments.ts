import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { selectSegments, selectSegmentsNamed, shareSegmentsNamed } from "./segment-store.ts";
import type { SegmentJson } from "../wire/segment.ts";

/** Every segment of the workspace, oldest first (spec, GET /v1/segments). */
export function listSegments(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<SegmentJson[]> {
  return selectSegments(context.db, workspaceId, null);
}

/** The segments with these names, oldest first. Older ones may share a name. */
export const listSegmentsNamed = (
  db: Queryable,
  workspaceId: string,
  names: readonly string[],
): Promise<SegmentJson[]> => selectSegmentsNamed(db, workspaceId, names);

/** The same; none of them is deleted or changed before the transaction ends. */
export const lockSegmentsNamed = (
  tx: Tx,
  workspaceId: string,
  names: readonly string[],
): Promise<SegmentJson[]> => shareSegmentsNamed(tx, workspaceId, names);
