import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";

/** The attributes, channels and other things that rules of segments are made of. */
export const segmentChoicesQuery = queryOptions({
  queryKey: ["segment-choices"],
  queryFn: ({ signal }) => call("listSegmentChoices", { signal }),
  throwOnError: failsPage,
});
