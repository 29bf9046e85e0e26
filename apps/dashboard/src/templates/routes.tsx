import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { opens } from "../api/role.ts";
import { members } from "../shell/frame-routes.ts";
import { PageFailed } from "../shell/page-failed.tsx";
import { withTexts } from "../text/t.ts";

interface TemplateSearch {
  readonly channel?: string | undefined;
  readonly status?: string | undefined;
  readonly q?: string | undefined;
}

export const templatesRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: "/templates",
    validateSearch: ({ channel, status, q }: Record<string, unknown>): TemplateSearch => ({
      ...(typeof channel === "string" && { channel }),
      ...(typeof status === "string" && { status }),
      ...(typeof q === "string" && q !== "" && { q }),
    }),
    component: lazyRouteComponent(() => withTexts(import("./templates-page.tsx")), "Templates"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/templates/new",
    beforeLoad: opens("createTemplate"),
    component: lazyRouteComponent(() => withTexts(import("./new-template.tsx")), "NewTemplate"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/templates/$id",
    component: lazyRouteComponent(() => withTexts(import("./template-page.tsx")), "Template"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/templates/$id/edit",
    beforeLoad: opens("editTemplate"),
    component: lazyRouteComponent(() => withTexts(import("./new-template.tsx")), "EditTemplate"),
    errorComponent: PageFailed,
  }),
];
