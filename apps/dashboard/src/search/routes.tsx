import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { members } from "../shell/frame-routes.ts";
import { PageFailed } from "../shell/page-failed.tsx";
import { withTexts } from "../text/t.ts";

export const searchRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: "/search",
    validateSearch: ({ q }: Record<string, unknown>): { readonly q?: string } =>
      typeof q === "string" && q !== "" ? { q } : {},
    component: lazyRouteComponent(() => withTexts(import("./search-page.tsx")), "SearchPage"),
    errorComponent: PageFailed,
  }),
];
