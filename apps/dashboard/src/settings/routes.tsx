import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { opens } from "../api/role.ts";
import { members } from "../shell/frame-routes.ts";
import { PageFailed } from "../shell/page-failed.tsx";
import { withTexts } from "../text/t.ts";

const settingsFrame = createRoute({
  getParentRoute: () => members,
  path: "/settings",
  component: lazyRouteComponent(() => withTexts(import("./settings-frame.tsx")), "SettingsFrame"),
});

export const settingsRoutes = settingsFrame.addChildren([
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/",
    beforeLoad: () => {
      throw redirect({ to: "/settings/profile" });
    },
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/profile",
    component: lazyRouteComponent(() => withTexts(import("./profile.tsx")), "Profile"),
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/security",
    component: lazyRouteComponent(() => withTexts(import("./security.tsx")), "Security"),
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/team",
    beforeLoad: opens("listTeam"),
    component: lazyRouteComponent(() => withTexts(import("./team.tsx")), "Team"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/notifications",
    component: lazyRouteComponent(() => withTexts(import("./notifications.tsx")), "Notifications"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/workspace",
    beforeLoad: opens("readWorkspace"),
    component: lazyRouteComponent(() => withTexts(import("./workspace.tsx")), "WorkspacePage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/business-hours",
    beforeLoad: opens("saveHours"),
    component: lazyRouteComponent(() => withTexts(import("./business-hours.tsx")), "BusinessHours"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/data-retention",
    beforeLoad: opens("changeRetention"),
    component: lazyRouteComponent(() => withTexts(import("./data-retention.tsx")), "DataRetention"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/channels",
    beforeLoad: opens("listChannels"),
    component: lazyRouteComponent(
      () => withTexts(import("../channels/channel-list.tsx")),
      "ChannelList",
    ),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/channels/connect",
    beforeLoad: opens("connectChannel"),
    validateSearch: ({ type }: Record<string, unknown>): { readonly type?: string } =>
      typeof type === "string" ? { type } : {},
    component: lazyRouteComponent(
      () => withTexts(import("../channels/connect.tsx")),
      "ConnectChannel",
    ),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/channels/$id",
    beforeLoad: opens("readChannel"),
    component: lazyRouteComponent(
      () => withTexts(import("../channels/channel-page.tsx")),
      "ChannelPage",
    ),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/channels/$id/widget",
    beforeLoad: opens("changeWebChannel"),
    component: lazyRouteComponent(
      () => withTexts(import("../channels/widget-designer.tsx")),
      "WidgetDesigner",
    ),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/sms",
    beforeLoad: opens("readSms"),
    component: lazyRouteComponent(() => withTexts(import("../channels/sms-page.tsx")), "SmsPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/ai",
    beforeLoad: opens("readModel"),
    component: lazyRouteComponent(() => withTexts(import("./ai.tsx")), "AiPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/sms/passcodes",
    beforeLoad: opens("sendPasscode"),
    component: lazyRouteComponent(
      () => withTexts(import("../channels/passcodes.tsx")),
      "Passcodes",
    ),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/attributes",
    beforeLoad: opens("putContactAttribute"),
    component: lazyRouteComponent(
      () => withTexts(import("../contacts/attributes-page.tsx")),
      "AttributesPage",
    ),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/labels",
    beforeLoad: opens("putLabel"),
    component: lazyRouteComponent(() => withTexts(import("./labels.tsx")), "Labels"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/saved-replies",
    component: lazyRouteComponent(() => withTexts(import("./saved-replies.tsx")), "SavedReplies"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/opt-out-words",
    beforeLoad: opens("listConsentWords"),
    component: lazyRouteComponent(() => withTexts(import("./opt-out-words.tsx")), "OptOutWords"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/api-keys",
    beforeLoad: opens("listKeys"),
    component: lazyRouteComponent(() => withTexts(import("./api-keys.tsx")), "ApiKeys"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/webhooks",
    beforeLoad: opens("listEndpoints"),
    component: lazyRouteComponent(() => withTexts(import("./webhooks.tsx")), "Webhooks"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/webhooks/$id",
    beforeLoad: opens("readWebhookEndpoint"),
    component: lazyRouteComponent(() => withTexts(import("./webhook.tsx")), "Webhook"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/limits",
    beforeLoad: opens("readLimits"),
    component: lazyRouteComponent(() => withTexts(import("./limits.tsx")), "LimitsPage"),
    errorComponent: PageFailed,
  }),
  createRoute({
    getParentRoute: () => settingsFrame,
    path: "/audit-log",
    beforeLoad: opens("listAudit"),
    component: lazyRouteComponent(() => withTexts(import("./audit-log.tsx")), "AuditLog"),
    errorComponent: PageFailed,
  }),
]);
