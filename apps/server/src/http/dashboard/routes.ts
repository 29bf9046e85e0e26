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
import { start } from "./contract/start.ts";
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
import { own, ownHandlers } from "./own.ts";
import { peopleHandlers } from "./people.ts";
import { recordsHandlers } from "./records.ts";
import { sandboxHandlers } from "./sandbox.ts";
import { savedHandlers } from "./saved.ts";
import { searchHandlers } from "./search.ts";
import { segmentHandlers } from "./segments.ts";
import { settingsHandlers } from "./settings.ts";
import { smsHandlers } from "./sms.ts";
import { startHandlers } from "./start.ts";
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
  ...routesOf(inbox, savedHandlers),
  ...routesOf(inbox, searchHandlers),
  ...routesOf(people, peopleHandlers),
  ...routesOf(sandbox, sandboxHandlers),
  ...routesOf(own, ownHandlers),
  ...routesOf(team, teamHandlers),
  ...routesOf(channels, channelHandlers),
  ...routesOf(sms, smsHandlers),
  ...routesOf(keys, { ...keysHandlers, ...webhooksHandlers, ...recordsHandlers }),
  ...routesOf(campaigns, campaignHandlers),
  ...routesOf(start, startHandlers),
  ...routesOf(templates, templateHandlers),
  ...routesOf(usage, usageHandlers),
  ...routesOf(contacts, contactHandlers),
  ...routesOf(contacts, contactJobHandlers),
  ...routesOf(twoFactor, twoFactorHandlers),
  ...routesOf(settings, settingsHandlers),
  ...routesOf(imports, importHandlers),
  ...routesOf(segments, segmentHandlers),
];
