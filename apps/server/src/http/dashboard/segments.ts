import {
  segmentCampaigns,
  type SegmentCampaign,
} from "../../broadcasts/record/segment-campaigns.ts";
import { segmentBots, type SegmentBot } from "../../bots/record/segment-bots.ts";
import { listChannels } from "../../channels/list-channels.ts";
import { AppError } from "../../errors.ts";
import { tagOfRecord } from "../../lib/version-tag.ts";
import { segmentVersion } from "../../operations/segments.ts";
import { findSegment } from "../../segments/find-segment.ts";
import { listSegments } from "../../segments/list-segments.ts";
import { segmentChoices } from "../../segments/segment-choices.ts";
import type { SegmentJson } from "../../wire/segment.ts";
import type { SavedSegmentJson, segments } from "./contract/segments.ts";
import type { Handlers } from "./handlers.ts";

/** Saved segments, and the builder's previews of an unsaved one. */
export const segmentHandlers: Handlers<typeof segments> = {
  async listSegments(context, { caller: { workspaceId } }) {
    const [saved, campaigns, bots] = await Promise.all([
      listSegments(context, workspaceId),
      segmentCampaigns(context, workspaceId, null),
      segmentBots(context.db, workspaceId),
    ]);
    const bySegment = Map.groupBy(campaigns, ({ segmentId }) => segmentId);
    return { segments: saved.map((one) => present(one, bySegment.get(one.id) ?? [], bots)) };
  },

  async listSegmentChoices(context, { caller: { workspaceId } }) {
    const [choices, channels] = await Promise.all([
      segmentChoices(context, workspaceId),
      listChannels(context, workspaceId),
    ]);
    return { ...choices, channelTypes: [...new Set(channels.map(({ type }) => type))] };
  },

  async readSegment(context, { caller, params }) {
    const segment = await findSegment(context.db, caller.workspaceId, params.id);
    if (!segment) throw new AppError("NOT_FOUND");
    const [campaigns, bots] = await Promise.all([
      segmentCampaigns(context, caller.workspaceId, segment.id),
      segmentBots(context.db, caller.workspaceId),
    ]);
    return present(segment, campaigns, bots);
  },
};

/** Drafts do not block a segment's deletion: they say what is wrong when somebody starts them. */
function present(
  segment: SegmentJson,
  campaigns: readonly SegmentCampaign[],
  bots: readonly SegmentBot[],
): SavedSegmentJson {
  return {
    ...segment,
    etag: tagOfRecord(segment, segmentVersion.without),
    usedBy: campaigns.map((one) => ({
      id: one.id,
      name: one.name,
      status: one.status,
      holds: one.status !== "DRAFT",
    })),
    bots: bots
      .filter(({ segmentIds }) => segmentIds.includes(segment.id))
      .map((bot) => ({ id: bot.id, name: bot.name })),
  };
}
