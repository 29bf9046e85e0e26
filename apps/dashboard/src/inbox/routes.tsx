import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { members } from "../shell/frame-routes.ts";

interface InboxSearch {
  readonly unread?: "1";
  readonly sort?: "oldest" | "waiting";
}

export const inboxRoute = createRoute({
  getParentRoute: () => members,
  path: "/inbox/$view/{-$id}",
  validateSearch: ({ unread, sort }: Record<string, unknown>): InboxSearch => ({
    ...(unread === "1" && { unread: "1" as const }),
    ...(sort === "oldest" && { sort: "oldest" as const }),
    ...(sort === "waiting" && { sort: "waiting" as const }),
  }),
  component: lazyRouteComponent(() => import("./inbox-page.tsx"), "InboxPage"),
});
