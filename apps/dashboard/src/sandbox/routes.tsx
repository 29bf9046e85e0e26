import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { members } from "../frame-routes.tsx";
import { withTexts } from "../text/t.ts";

export const sandboxRoute = createRoute({
  getParentRoute: () => members,
  path: "/sandbox",
  component: lazyRouteComponent(() => withTexts(import("./sandbox-page.tsx")), "SandboxPage"),
});
