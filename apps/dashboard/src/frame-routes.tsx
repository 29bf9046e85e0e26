import { createRootRoute, createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { ApiError } from "./api/api-error.ts";
import { haveBootstrap } from "./api/bootstrap.ts";
import { entryAddress } from "./people/entered.ts";
import { NotFound, PageFailed } from "./shell/page-failed.tsx";

/** The outermost route of every page. */
export const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageFailed });

/** Pages for members: inside the frame with the navigation. Without a session they lead to the sign-in or the set-up. */
export const members = createRoute({
  getParentRoute: () => root,
  id: "members",
  beforeLoad: async ({ location }) => {
    await haveBootstrap(location.pathname.startsWith("/inbox")).catch(async (error: unknown) => {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ href: await entryAddress(location.href) });
      if (error instanceof ApiError && error.code === "TWO_FACTOR_REQUIRED")
        throw redirect({ to: "/two-factor" });
      throw error;
    });
  },
  component: lazyRouteComponent(() => import("./shell/frame.tsx"), "Frame"),
});
