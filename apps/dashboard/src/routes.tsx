import { createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { botsRoutes } from "./bots/routes.tsx";
import { campaignsRoutes } from "./campaigns/routes.tsx";
import { contactsRoutes } from "./contacts/routes.tsx";
import { members, root } from "./shell/frame-routes.ts";
import { NotFound } from "./shell/page-failed.tsx";
import { importsRoutes } from "./imports/routes.tsx";
import { inboxRoute } from "./inbox/routes.tsx";
import { signInRoutes } from "./sign-in/routes.tsx";
import { sandboxRoute } from "./sandbox/routes.tsx";
import { knowledgeRoutes } from "./knowledge/routes.tsx";
import { searchRoutes } from "./search/routes.tsx";
import { segmentsRoutes } from "./segments/routes.tsx";
import { settingsRoutes } from "./settings/routes.tsx";
import { templatesRoutes } from "./templates/routes.tsx";
import { usageRoutes } from "./usage/routes.tsx";

/*
 * All pages, area by area. An area's `routes.tsx` names its pages with their addresses. Each page is loaded when
 * somebody first opens it. A new page also needs its address in the server's `http/dashboard/pages.ts`.
 */

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ href: "/inbox/mine" });
  },
});

/** An address without a page: a member keeps the navigation, and goes on from there. */
const noPage = createRoute({ getParentRoute: () => members, path: "$", component: NotFound });

members.update({ component: lazyRouteComponent(() => import("./frame.tsx"), "Frame") });

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    ...signInRoutes,
    members.addChildren([
      inboxRoute,
      sandboxRoute,
      settingsRoutes,
      ...contactsRoutes,
      ...importsRoutes,
      ...segmentsRoutes,
      ...campaignsRoutes,
      ...botsRoutes,
      ...knowledgeRoutes,
      ...templatesRoutes,
      ...usageRoutes,
      ...searchRoutes,
      noPage,
    ]),
  ]),
  defaultPreload: "intent",
  // Plain words on both sides: the library's own would make a number of `?q=2` and quote texts.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined);
    const words = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
    return words.size > 0 ? `?${words}` : "";
  },
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router;
  }
}
