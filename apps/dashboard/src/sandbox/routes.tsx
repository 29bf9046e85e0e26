import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { members } from "../shell/frame-routes.ts";
import { withTexts } from "../text/t.ts";

export const sandboxRoute = createRoute({
  getParentRoute: () => members,
  path: "/sandbox",
  component: lazyRouteComponent(() => withTexts(import("./sandbox-page.tsx")), "SandboxPage"),
});
