import type { Route } from "../edge/route.ts";
import type { AppFace } from "./contract/face.ts";
import type { Caller } from "./member-door.ts";
import { campaignHandlers } from "./campaigns.ts";
import { channelHandlers } from "./channels.ts";
import { contactJobHandlers } from "./contact-jobs.ts";
import { contactHandlers } from "./contacts.ts";
import { campaigns } from "./contract/campaigns.ts";
import { channels } from "./contract/channels.ts";
import { contacts } from "./contract/contacts.ts";
import { imports } from "./contract/imports.ts";
import { inbox } from "./contract/inbox.ts";
import { keys } from "./contract/keys.ts";
import { people } from "./contract/people.ts";
import { sandbox } from "./contract/sandbox.ts";
import { segments } from "./contract/segments.ts";
import { settings } from "./contract/settings.ts";
import { sms } from "./contract/sms.ts";
import { firstSteps } from "./contract/first-steps.ts";
import { team } from "./contract/team.ts";
import { templates } from "./contract/templates.ts";
import { thread } from "./contract/thread.ts";
import { twoFactor } from "./contract/two-factor.ts";
import { usage } from "./contract/usage.ts";
import { declaredPageCalls } from "./declared-routes.ts";
import { deskHandlers } from "./desk.ts";
import { routesOf } from "./handlers.ts";
import { importHandlers } from "./imports.ts";
import { keysHandlers } from "./keys.ts";
import { bootstrapFaces, bootstrapHandlers } from "./bootstrap.ts";
import { peopleHandlers } from "./people.ts";
import { auditHandlers } from "./audit.ts";
import { sandboxHandlers } from "./sandbox.ts";
import { consentWordHandlers } from "./consent-words.ts";
import { contactCardHandlers } from "./contact-card.ts";
import { memberNoticeHandlers } from "./member-notices.ts";
import { savedReplyHandlers } from "./saved-replies.ts";
import { viewHandlers } from "./views.ts";
import { searchHandlers } from "./search.ts";
import { segmentHandlers } from "./segments.ts";
import { settingsHandlers } from "./settings.ts";
import { smsHandlers } from "./sms.ts";
import { firstStepHandlers } from "./first-steps.ts";
import { teamHandlers } from "./team.ts";
import { templateHandlers } from "./templates.ts";
import { threadHandlers } from "./thread.ts";
import { twoFactorHandlers } from "./two-factor.ts";
import { usageHandlers } from "./usage.ts";
import { webhooksHandlers } from "./webhooks.ts";

/** Every served face of `/api/app`. */
export const dashboardRoutes: readonly Route<Caller, AppFace>[] = [
  ...declaredPageCalls,
  ...routesOf(inbox, deskHandlers),
  ...routesOf({ ...inbox, ...thread }, threadHandlers),
  ...routesOf(inbox, {
    ...savedReplyHandlers,
    ...viewHandlers,
    ...memberNoticeHandlers,
    ...contactCardHandlers,
  }),
  ...routesOf(inbox, searchHandlers),
  ...routesOf(people, peopleHandlers),
  ...routesOf(sandbox, sandboxHandlers),
  ...routesOf(bootstrapFaces, bootstrapHandlers),
  ...routesOf(team, teamHandlers),
  ...routesOf(channels, channelHandlers),
  ...routesOf(sms, smsHandlers),
  ...routesOf(keys, {
    ...keysHandlers,
    ...webhooksHandlers,
    ...auditHandlers,
    ...consentWordHandlers,
  }),
  ...routesOf(campaigns, campaignHandlers),
  ...routesOf(firstSteps, firstStepHandlers),
  ...routesOf(templates, templateHandlers),
  ...routesOf(usage, usageHandlers),
  ...routesOf(contacts, contactHandlers),
  ...routesOf(contacts, contactJobHandlers),
  ...routesOf(twoFactor, twoFactorHandlers),
  ...routesOf(settings, settingsHandlers),
  ...routesOf(imports, importHandlers),
  ...routesOf(segments, segmentHandlers),
];
