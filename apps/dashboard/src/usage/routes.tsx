import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { opens } from "../api/role.ts";
import { members } from "../shell/frame-routes.ts";
import { PageFailed } from "../shell/page-failed.tsx";
import { withTexts } from "../text/t.ts";

export const usageRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: "/usage",
    beforeLoad: opens("readUsage"),
    component: lazyRouteComponent(() => withTexts(import("./usage-page.tsx")), "Usage"),
    errorComponent: PageFailed,
  }),
];
