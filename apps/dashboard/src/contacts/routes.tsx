import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { members } from "../frame-routes.tsx";
import { PageFailed } from "../shell/page-failed.tsx";
import { contactsSearch } from "./contacts-search.ts";

export const contactsRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: "/contacts",
    validateSearch: contactsSearch,
    component: lazyRouteComponent(() => import("./contacts-page.tsx"), "ContactsPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/contacts/duplicates",
    component: lazyRouteComponent(() => import("./duplicates-page.tsx"), "DuplicatesPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/contacts/$id",
    component: lazyRouteComponent(() => import("./contact-page.tsx"), "ContactPage"),
    errorComponent: PageFailed,
  }),
];
