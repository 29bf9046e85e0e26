import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { bootstrapQuery, failsPage } from "../api/query-client.ts";

/** The channels of the workspace, and the fields of each kind. */
export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  queryFn: ({ signal }) => call("listChannels", { signal }),
  // For members who may not open it.
  throwOnError: failsPage,
});

/** One channel with everything that its page shows. */
export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ["channels", id],
    queryFn: ({ signal }) => call("readChannel", { params: { id }, signal }),
    throwOnError: failsPage,
  });

/** After a change of a channel, reads again what shows channels: these lists and the navigation's. */
export async function refreshChannels(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ["channels"] }),
    client.invalidateQueries({ queryKey: ["phones"] }),
    client.invalidateQueries({ queryKey: bootstrapQuery.queryKey }),
  ]);
}
