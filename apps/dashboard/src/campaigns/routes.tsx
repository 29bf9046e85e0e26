import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { opens } from "../api/role.ts";
import { members } from "../shell/frame-routes.ts";
import { PageFailed } from "../shell/page-failed.tsx";
import { withTexts } from "../text/t.ts";

interface CampaignSearch {
  readonly show?: string;
  readonly step?: string;
  readonly status?: string;
  readonly reason?: string;
  /** The audience of a new campaign. */
  readonly segment?: string;
}
const campaignSearch = (search: Record<string, unknown>): CampaignSearch => {
  const words = ["show", "step", "status", "reason", "segment"] as const;
  return Object.fromEntries(
    words.flatMap((name) => {
      const word = search[name];
      return typeof word === "string" ? [[name, word]] : [];
    }),
  );
};

export const campaignsRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: "/campaigns",
    validateSearch: campaignSearch,
    component: lazyRouteComponent(() => withTexts(import("./campaigns-page.tsx")), "CampaignsPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/campaigns/new",
    beforeLoad: opens("createBroadcast"),
    validateSearch: campaignSearch,
    component: lazyRouteComponent(() => withTexts(import("./campaign-new.tsx")), "CampaignNew"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/campaigns/$id",
    validateSearch: campaignSearch,
    component: lazyRouteComponent(() => withTexts(import("./campaign-page.tsx")), "CampaignPage"),
    errorComponent: PageFailed,
  }),
];
