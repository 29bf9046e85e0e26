import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { opens } from "../api/role.ts";
import { members } from "../shell/frame-routes.ts";
import { PageFailed } from "../shell/page-failed.tsx";
import { contactsSearch } from "../contacts/contacts-search.ts";
import { withTexts } from "../text/t.ts";

export const segmentsRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: "/segments",
    component: lazyRouteComponent(() => withTexts(import("./segments-page.tsx")), "SegmentsPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/segments/new",
    beforeLoad: opens("createSegment"),
    validateSearch: contactsSearch,
    component: lazyRouteComponent(() => withTexts(import("./segment-page.tsx")), "NewSegment"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/segments/$id",
    component: lazyRouteComponent(() => withTexts(import("./segment-page.tsx")), "SegmentPage"),
    errorComponent: PageFailed,
  }),
];
