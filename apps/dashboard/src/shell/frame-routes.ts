import { createRootRoute, createRoute, redirect } from "@tanstack/react-router";
import { ApiError } from "../api/api-error.ts";
import { haveBootstrap } from "../api/bootstrap.ts";
import { entryAddress } from "../api/entered.ts";
import { NotFound, PageFailed } from "./page-failed.tsx";

/** The outermost route of every page. */
export const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageFailed });

/**
 * Pages for members. Without a session they lead to the sign-in or the set-up. The frame around them is set where all
 * pages are joined (`routes.tsx`): it contains parts of rooms that stand above this one.
 */
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
});
