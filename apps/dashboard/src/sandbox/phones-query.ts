import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/call.ts";

/** The sandbox channels that can be played, and the web chats of the sandbox. */
export const phonesQuery = queryOptions({
  queryKey: ["phones"],
  queryFn: ({ signal }) => call("listPhones", { signal }),
});
