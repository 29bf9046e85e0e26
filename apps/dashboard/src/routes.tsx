import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { ApiError } from "./api/api-error.ts";
import { bootstrapQuery, queryClient } from "./api/query-client.ts";
import { NotFound, PageFailed } from "./shell/page-failed.tsx";

/*
 * Every page with its address. Each area adds its routes here, and each page is loaded when somebody first goes there:
 * `component: lazyRouteComponent(() => import("./people/sign-in.tsx"), "SignIn")`.
 */

const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageFailed });

/** Pages for members: inside the frame with the navigation. Without a session they lead to the sign-in. */
const members = createRoute({
  getParentRoute: () => root,
  id: "members",
  beforeLoad: async ({ location }) => {
    await queryClient.ensureQueryData(bootstrapQuery).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ href: `/sign-in?${new URLSearchParams({ next: location.href })}` });
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

export const router = createRouter({
  routeTree: root.addChildren([home, members.addChildren([sandbox])]),
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
