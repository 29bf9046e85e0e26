import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { bootstrapQuery } from "../api/query-client.ts";

/** The channels of the workspace, and what each kind is asked for. */
export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  queryFn: ({ signal }) => call("listChannels", { signal }),
  // Whose role does not open it reads so.
  throwOnError: true,
});

/** One channel with all that its page shows. */
export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ["channels", id],
    queryFn: ({ signal }) => call("readChannel", { params: { id }, signal }),
    throwOnError: true,
  });

/** Reads again what a change of a channel shows: the lists here, and the navigation's. */
export async function refreshChannels(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ["channels"] }),
    client.invalidateQueries({ queryKey: ["phones"] }),
    client.invalidateQueries({ queryKey: bootstrapQuery.queryKey }),
  ]);
}
