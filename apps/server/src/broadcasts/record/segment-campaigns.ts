import type { Context } from "../../context.ts";
import { isId } from "../../lib/ids.ts";
import { selectSegmentCampaigns, type SegmentCampaign } from "./broadcast-store.ts";

export type { SegmentCampaign } from "./broadcast-store.ts";

const MOST = 500;

/** The campaigns that use segments of the workspace, or one of them, and have not ended: the newest 500. */
export function segmentCampaigns(
  context: Pick<Context, "db">,
  workspaceId: string,
  segmentId: string | null,
): Promise<SegmentCampaign[]> {
  if (segmentId !== null && !isId(segmentId)) return Promise.resolve([]);
  return selectSegmentCampaigns(context.db, workspaceId, segmentId, MOST);
}
