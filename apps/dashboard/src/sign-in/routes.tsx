import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../shell/frame-routes.ts";
import { withTexts } from "../text/t.ts";

export const signInRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: "/setup",
    component: lazyRouteComponent(() => import("./set-up.tsx"), "SetUp"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/sign-in",
    component: lazyRouteComponent(() => import("./sign-in.tsx"), "SignIn"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/two-factor",
    component: lazyRouteComponent(() => withTexts(import("./must-set-up.tsx")), "MustSetUp"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/forgot",
    component: lazyRouteComponent(() => import("./reset-password.tsx"), "Forgot"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/reset/$token",
    component: lazyRouteComponent(() => import("./reset-password.tsx"), "ResetPassword"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/invite/$token",
    component: lazyRouteComponent(() => import("./join.tsx"), "Join"),
  }),
];
