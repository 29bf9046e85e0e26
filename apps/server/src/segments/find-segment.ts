import type { Queryable } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import { selectSegments } from "./segment-store.ts";
import type { SegmentJson } from "../wire/segment.ts";

/** A segment of the workspace, or null when it has none with that id. */
export async function findSegment(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<SegmentJson | null> {
  if (!isId(id)) return null;
  return (await selectSegments(db, workspaceId, id))[0] ?? null;
}
