import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { ResultsFilter } from "../api/shapes.ts";
import { members } from "../shell/frame-routes.ts";
import { resultsIn } from "./results-filter.ts";

interface InboxSearch extends ResultsFilter {
  readonly unread?: "1";
  readonly sort?: "oldest" | "waiting";
}

export const inboxRoute = createRoute({
  getParentRoute: () => members,
  // No other page's parameter has this name: links keep the parameters of the page that they are on, and the list of a
  // view would be opened with the id of a contact or a campaign.
  path: "/inbox/$view/{-$talk}",
  validateSearch: ({ unread, sort, ...given }: Record<string, unknown>): InboxSearch => ({
    ...resultsIn(given),
    ...(unread === "1" && { unread: "1" as const }),
    ...(sort === "oldest" && { sort: "oldest" as const }),
    ...(sort === "waiting" && { sort: "waiting" as const }),
  }),
  component: lazyRouteComponent(() => import("./inbox-page.tsx"), "InboxPage"),
});
