import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { opens } from "../api/role.ts";
import { members } from "../shell/frame-routes.ts";
import { PageFailed } from "../shell/page-failed.tsx";
import { withTexts } from "../text/t.ts";

export const botsRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: "/bots",
    component: lazyRouteComponent(() => withTexts(import("./bots-page.tsx")), "BotsPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/bots/report",
    beforeLoad: opens("botReport"),
    component: lazyRouteComponent(() => withTexts(import("./report-page.tsx")), "ReportPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/bots/$id",
    component: lazyRouteComponent(() => withTexts(import("./bot-page.tsx")), "BotPage"),
    errorComponent: PageFailed,
  }),
];
