import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";

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

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ["campaigns", "one", id],
    queryFn: ({ signal }) => call("readCampaign", { params: { id }, signal }),
  });

/** A campaign's timeline and counts. */
export const timelineQuery = (id: string, by: "minute" | "hour") =>
  queryOptions({
    queryKey: ["campaigns", "of", id, "timeline", by],
    queryFn: ({ signal }) => call("campaignTimeline", { params: { id }, query: { by }, signal }),
  });

/** After a change the list and everything about the campaign is read again. */
export async function campaignChanged(id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["campaigns", "one", id] }),
    queryClient.invalidateQueries({ queryKey: ["campaigns", "of", id] }),
    queryClient.invalidateQueries({ queryKey: ["campaigns", "list"] }),
  ]);
}
