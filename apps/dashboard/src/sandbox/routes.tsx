import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { members } from "../frame-routes.tsx";

export const sandboxRoute = createRoute({
  getParentRoute: () => members,
  path: "/sandbox",
  component: lazyRouteComponent(() => import("./sandbox-page.tsx"), "SandboxPage"),
});
