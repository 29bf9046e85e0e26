import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";
import type { CampaignWay } from "./contract.ts";
import { keyOf } from "./form.ts";

export const choicesQuery = queryOptions({
  queryKey: ["campaigns", "choices"],
  queryFn: ({ signal }) => call("campaignChoices", { signal }),
});

/** Approved templates of a channel; none without a channel. */
export const templatesQuery = (channelId: string | null) =>
  queryOptions({
    queryKey: ["campaigns", "templates", channelId],
    queryFn: async ({ signal }) =>
      channelId === null
        ? []
        : (await call("campaignTemplates", { query: { channelId }, signal })).templates,
  });

/** What is asked about an audience: a segment (empty: everyone) by a way. */
const audienceOf = (segmentId: string, { channelId }: CampaignWay) => ({
  ...(segmentId !== "" && { segmentId }),
  ...(channelId !== null && { channelId }),
});

/** How many people of an audience a way reaches. */
export const reachQuery = (segmentId: string, way: CampaignWay) =>
  queryOptions({
    queryKey: ["campaigns", "reach", segmentId, keyOf(way)],
    queryFn: ({ signal }) => call("reachAudience", { body: audienceOf(segmentId, way), signal }),
  });

/** The first people of an audience, as a way sees them. */
export const sampleQuery = (segmentId: string, way: CampaignWay) =>
  queryOptions({
    queryKey: ["campaigns", "sample", segmentId, keyOf(way)],
    queryFn: ({ signal }) => call("sampleAudience", { body: audienceOf(segmentId, way), signal }),
  });

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ["campaigns", "one", id],
    queryFn: ({ signal }) => call("readCampaign", { params: { id }, signal }),
  });

/** A campaign's timeline and counts. */
export const timelineQuery = (id: string, by: "minute" | "hour") =>
  queryOptions({
    queryKey: ["campaigns", "of", id, "timeline", by],
    queryFn: ({ signal }) =>
      call("readBroadcastTimeline", { params: { id }, query: { by }, signal }),
  });

/**
 * After a change the list and everything about the campaign is read again. Ends when the campaign itself is: its next action
 * is offered then, and must not wait for a report.
 */
export async function campaignChanged(id: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ["campaigns", "of", id] });
  void queryClient.invalidateQueries({ queryKey: ["campaigns", "list"] });
  await queryClient.invalidateQueries({ queryKey: ["campaigns", "one", id] });
}
