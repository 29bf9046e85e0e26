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
  path: "/inbox/$view/{-$id}",
  validateSearch: ({ unread, sort, ...given }: Record<string, unknown>): InboxSearch => ({
    ...resultsIn(given),
    ...(unread === "1" && { unread: "1" as const }),
    ...(sort === "oldest" && { sort: "oldest" as const }),
    ...(sort === "waiting" && { sort: "waiting" as const }),
  }),
  component: lazyRouteComponent(() => import("./inbox-page.tsx"), "InboxPage"),
});
