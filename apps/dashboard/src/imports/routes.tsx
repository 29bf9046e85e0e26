import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { opens } from "../api/role.ts";
import { members } from "../shell/frame-routes.ts";
import { PageFailed } from "../shell/page-failed.tsx";
import { withTexts } from "../text/t.ts";

export const importsRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: "/contacts/import",
    beforeLoad: opens("startImport"),
    validateSearch: ({ run }: Record<string, unknown>): { readonly run?: string } =>
      typeof run === "string" ? { run } : {},
    component: lazyRouteComponent(() => withTexts(import("./import-page.tsx")), "ImportPage"),
    errorComponent: PageFailed,
  }),
];
