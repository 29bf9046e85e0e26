import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { ApiError } from "./api/api-error.ts";
import { bootstrapQuery, queryClient } from "./api/query-client.ts";
import { entryAddress } from "./people/entered.ts";
import { NotFound, PageFailed } from "./shell/page-failed.tsx";

/*
 * Every page with its address. Each area adds its routes here, and each page is loaded when somebody first goes there:
 * `component: lazyRouteComponent(() => import("./people/sign-in.tsx"), "SignIn")`.
 */

const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageFailed });

/** Pages for members: inside the frame with the navigation. Without a session they lead to the sign-in or the set-up. */
const members = createRoute({
  getParentRoute: () => root,
  id: "members",
  beforeLoad: async ({ location }) => {
    await queryClient.ensureQueryData(bootstrapQuery).catch(async (error: unknown) => {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ href: await entryAddress(location.href) });
      throw error;
    });
  },
  component: lazyRouteComponent(() => import("./shell/frame.tsx"), "Frame"),
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ href: "/inbox/mine" });
  },
});

const sandbox = createRoute({
  getParentRoute: () => members,
  path: "/sandbox",
  component: lazyRouteComponent(() => import("./sandbox/sandbox-page.tsx"), "SandboxPage"),
});

const people = [
  createRoute({
    getParentRoute: () => root,
    path: "/setup",
    component: lazyRouteComponent(() => import("./people/set-up.tsx"), "SetUp"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/sign-in",
    component: lazyRouteComponent(() => import("./people/sign-in.tsx"), "SignIn"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/forgot",
    component: lazyRouteComponent(() => import("./people/reset-password.tsx"), "Forgot"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/reset/$token",
    component: lazyRouteComponent(() => import("./people/reset-password.tsx"), "ResetPassword"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/invite/$token",
    component: lazyRouteComponent(() => import("./people/join.tsx"), "Join"),
  }),
];

const settingsFrame = createRoute({
  getParentRoute: () => members,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings/settings-frame.tsx"), "SettingsFrame"),
});

const settings = settingsFrame.addChildren([
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/profile",
    component: lazyRouteComponent(() => import("./settings/profile.tsx"), "Profile"),
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/security",
    component: lazyRouteComponent(() => import("./settings/security.tsx"), "Security"),
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/team",
    component: lazyRouteComponent(() => import("./settings/team.tsx"), "Team"),
    errorComponent: PageFailed,
  }),
]);

interface InboxSearch {
  readonly unread?: "1";
  readonly sort?: "oldest" | "waiting";
}

const inbox = createRoute({
  getParentRoute: () => members,
  path: "/inbox/$view/{-$id}",
  validateSearch: ({ unread, sort }: Record<string, unknown>): InboxSearch => ({
    ...(unread === "1" && { unread: "1" as const }),
    ...(sort === "oldest" && { sort: "oldest" as const }),
    ...(sort === "waiting" && { sort: "waiting" as const }),
  }),
  component: lazyRouteComponent(() => import("./inbox/inbox-page.tsx"), "InboxPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    // One page or area a line.
    home,
    ...people,
    members.addChildren([
      // Inside the frame, one page or area a line.
      inbox,
      sandbox,
      settings,
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
