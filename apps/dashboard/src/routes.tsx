import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { ApiError } from "./api/api-error.ts";
import { bootstrapQuery, queryClient } from "./api/query-client.ts";
import { contactsSearch } from "./contacts/contacts-search.ts";
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
      if (error instanceof ApiError && error.code === "TWO_FACTOR_REQUIRED")
        throw redirect({ to: "/two-factor" });
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
    path: "/two-factor",
    component: lazyRouteComponent(() => import("./people/must-set-up.tsx"), "MustSetUp"),
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

  // notifications
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/notifications",
    component: lazyRouteComponent(() => import("./settings/notifications.tsx"), "Notifications"),
    errorComponent: PageFailed,
  }),

  // workspace
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/workspace",
    component: lazyRouteComponent(() => import("./settings/workspace.tsx"), "WorkspacePage"),
    errorComponent: PageFailed,
  }),

  // channels
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/channels",
    component: lazyRouteComponent(() => import("./channels/channel-list.tsx"), "ChannelList"),
    errorComponent: PageFailed,
  }),

  // channels/connect
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/channels/connect",
    validateSearch: ({ type }: Record<string, unknown>): { readonly type?: string } =>
      typeof type === "string" ? { type } : {},
    component: lazyRouteComponent(() => import("./channels/connect.tsx"), "ConnectChannel"),
    errorComponent: PageFailed,
  }),

  // channels/$id
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/channels/$id",
    component: lazyRouteComponent(() => import("./channels/channel-page.tsx"), "ChannelPage"),
    errorComponent: PageFailed,
  }),

  // channels/$id/widget
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/channels/$id/widget",
    component: lazyRouteComponent(() => import("./channels/widget-designer.tsx"), "WidgetDesigner"),
    errorComponent: PageFailed,
  }),

  // sms
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/sms",
    component: lazyRouteComponent(() => import("./channels/sms-page.tsx"), "SmsPage"),
    errorComponent: PageFailed,
  }),

  // labels
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/labels",
    component: lazyRouteComponent(() => import("./settings/labels.tsx"), "Labels"),
    errorComponent: PageFailed,
  }),

  // saved-replies
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/saved-replies",
    component: lazyRouteComponent(() => import("./settings/saved-replies.tsx"), "SavedReplies"),
    errorComponent: PageFailed,
  }),

  // opt-out-words
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/opt-out-words",
    component: lazyRouteComponent(() => import("./settings/opt-out-words.tsx"), "OptOutWords"),
    errorComponent: PageFailed,
  }),

  // api-keys
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/api-keys",
    component: lazyRouteComponent(() => import("./settings/api-keys.tsx"), "ApiKeys"),
    errorComponent: PageFailed,
  }),

  // webhooks
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/webhooks",
    component: lazyRouteComponent(() => import("./settings/webhooks.tsx"), "Webhooks"),
    errorComponent: PageFailed,
  }),

  // webhooks/$id
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/webhooks/$id",
    component: lazyRouteComponent(() => import("./settings/webhook.tsx"), "Webhook"),
    errorComponent: PageFailed,
  }),

  // limits
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/limits",
    component: lazyRouteComponent(() => import("./settings/limits.tsx"), "LimitsPage"),
    errorComponent: PageFailed,
  }),

  // audit-log
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/audit-log",
    component: lazyRouteComponent(() => import("./settings/audit-log.tsx"), "AuditLog"),
    errorComponent: PageFailed,
  }),
]);

const contacts = [
  createRoute({
    getParentRoute: () => members,
    path: "/contacts",
    validateSearch: contactsSearch,
    component: lazyRouteComponent(() => import("./contacts/contacts-page.tsx"), "ContactsPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/contacts/duplicates",
    component: lazyRouteComponent(() => import("./contacts/duplicates-page.tsx"), "DuplicatesPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/contacts/$id",
    component: lazyRouteComponent(() => import("./contacts/contact-page.tsx"), "ContactPage"),
    errorComponent: PageFailed,
  }),
];

const imports = [
  createRoute({
    getParentRoute: () => members,
    path: "/contacts/import",
    validateSearch: ({ run }: Record<string, unknown>): { readonly run?: string } =>
      typeof run === "string" ? { run } : {},
    component: lazyRouteComponent(() => import("./imports/import-page.tsx"), "ImportPage"),
    errorComponent: PageFailed,
  }),
];

const segments = [
  createRoute({
    getParentRoute: () => members,
    path: "/segments",
    component: lazyRouteComponent(() => import("./segments/segments-page.tsx"), "SegmentsPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/segments/new",
    validateSearch: contactsSearch,
    component: lazyRouteComponent(() => import("./segments/segment-page.tsx"), "NewSegment"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/segments/$id",
    component: lazyRouteComponent(() => import("./segments/segment-page.tsx"), "SegmentPage"),
    errorComponent: PageFailed,
  }),
];

interface CampaignSearch {
  readonly show?: string;
  readonly step?: string;
  readonly status?: string;
  readonly reason?: string;
}
const campaignSearch = (search: Record<string, unknown>): CampaignSearch => {
  const words = ["show", "step", "status", "reason"] as const;
  return Object.fromEntries(
    words.flatMap((name) => {
      const word = search[name];
      return typeof word === "string" ? [[name, word]] : [];
    }),
  );
};

const campaigns = [
  createRoute({
    getParentRoute: () => members,
    path: "/campaigns",
    validateSearch: campaignSearch,
    component: lazyRouteComponent(() => import("./campaigns/campaigns-page.tsx"), "CampaignsPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/campaigns/new",
    validateSearch: campaignSearch,
    component: lazyRouteComponent(() => import("./campaigns/campaign-new.tsx"), "CampaignNew"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/campaigns/$id",
    validateSearch: campaignSearch,
    component: lazyRouteComponent(() => import("./campaigns/campaign-page.tsx"), "CampaignPage"),
    errorComponent: PageFailed,
  }),
];

interface TemplateSearch {
  readonly channel?: string | undefined;
  readonly status?: string | undefined;
  readonly q?: string | undefined;
}

const templates = [
  createRoute({
    getParentRoute: () => members,
    path: "/templates",
    validateSearch: ({ channel, status, q }: Record<string, unknown>): TemplateSearch => ({
      ...(typeof channel === "string" && { channel }),
      ...(typeof status === "string" && { status }),
      ...(typeof q === "string" && q !== "" && { q }),
    }),
    component: lazyRouteComponent(() => import("./templates/templates-page.tsx"), "Templates"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/templates/new",
    component: lazyRouteComponent(() => import("./templates/new-template.tsx"), "NewTemplate"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/templates/$id",
    component: lazyRouteComponent(() => import("./templates/template-page.tsx"), "Template"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => members,
    path: "/templates/$id/edit",
    component: lazyRouteComponent(() => import("./templates/new-template.tsx"), "EditTemplate"),
    errorComponent: PageFailed,
  }),
];

const usage = [
  createRoute({
    getParentRoute: () => members,
    path: "/usage",
    component: lazyRouteComponent(() => import("./usage/usage-page.tsx"), "Usage"),
    errorComponent: PageFailed,
  }),
];

const searchPage = [
  createRoute({
    getParentRoute: () => members,
    path: "/search",
    validateSearch: ({ q }: Record<string, unknown>): { readonly q?: string } =>
      typeof q === "string" && q !== "" ? { q } : {},
    component: lazyRouteComponent(() => import("./search/search-page.tsx"), "SearchPage"),
    errorComponent: PageFailed,
  }),
];

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
      ...contacts,
      ...imports,
      ...segments,
      ...campaigns,
      ...templates,
      ...usage,
      ...searchPage,
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
