import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { members } from "../shell/frame-routes.ts";
import { PageFailed } from "../shell/page-failed.tsx";
import { withTexts } from "../text/t.ts";

export const knowledgeRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: "/knowledge",
    component: lazyRouteComponent(() => withTexts(import("./knowledge-page.tsx")), "KnowledgePage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/knowledge/$id",
    component: lazyRouteComponent(() => withTexts(import("./source-page.tsx")), "SourcePage"),
    errorComponent: PageFailed,
  }),
];
