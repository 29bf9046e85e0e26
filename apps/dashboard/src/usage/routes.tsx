import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { members } from "../frame-routes.tsx";
import { PageFailed } from "../shell/page-failed.tsx";

export const usageRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: "/usage",
    component: lazyRouteComponent(() => import("./usage-page.tsx"), "Usage"),
    errorComponent: PageFailed,
  }),
];
