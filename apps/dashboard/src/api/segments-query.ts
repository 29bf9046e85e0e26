import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

/** The workspace's saved segments. */
export const segmentsQuery = queryOptions({
  queryKey: ["segments"],
  queryFn: ({ signal }) => call("listSegments", { signal }),
});
