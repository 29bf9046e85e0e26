import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { members } from "../shell/frame-routes.ts";
import { PageFailed } from "../shell/page-failed.tsx";
import { contactsSearch } from "./contacts-search.ts";
import { withTexts } from "../text/t.ts";

export const contactsRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: "/contacts",
    validateSearch: contactsSearch,
    component: lazyRouteComponent(() => withTexts(import("./contacts-page.tsx")), "ContactsPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/contacts/duplicates",
    component: lazyRouteComponent(
      () => withTexts(import("./duplicates-page.tsx")),
      "DuplicatesPage",
    ),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/contacts/$id",
    component: lazyRouteComponent(() => withTexts(import("./contact-page.tsx")), "ContactPage"),
    errorComponent: PageFailed,
  }),
];
