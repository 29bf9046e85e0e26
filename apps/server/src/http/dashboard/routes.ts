import type { Route } from "../edge/route.ts";
import type { AppFace } from "./contract/face.ts";
import { channelHandlers } from "./channels.ts";
import { channels } from "./contract/channels.ts";
import { sms } from "./contract/sms.ts";
import { smsHandlers } from "./sms.ts";
import { campaignHandlers } from "./campaigns.ts";
import { campaigns } from "./contract/campaigns.ts";
import { inbox } from "./contract/inbox.ts";
import { keys } from "./contract/keys.ts";
import { people } from "./contract/people.ts";
import { sandbox } from "./contract/sandbox.ts";
import { deskHandlers } from "./desk.ts";
import { thread } from "./contract/thread.ts";
import { settingsHandlers } from "./settings.ts";
import { settings } from "./contract/settings.ts";
import { twoFactor } from "./contract/two-factor.ts";
import { team } from "./contract/team.ts";
import { keysHandlers } from "./keys.ts";
import { routesOf } from "./handlers.ts";
import type { Caller } from "./member-door.ts";
import { own, ownHandlers } from "./own.ts";
import { peopleHandlers } from "./people.ts";
import { sandboxHandlers } from "./sandbox.ts";
import { recordsHandlers } from "./records.ts";
import { savedHandlers } from "./saved.ts";
import { searchHandlers } from "./search.ts";
import { threadHandlers } from "./thread.ts";
import { twoFactorHandlers } from "./two-factor.ts";
import { teamHandlers } from "./team.ts";
import { webhooksHandlers } from "./webhooks.ts";

/** Every face of `/api/app` that is served. */
export const dashboardRoutes: readonly Route<Caller, AppFace>[] = [
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
  ...routesOf(twoFactor, twoFactorHandlers),
  ...routesOf(settings, settingsHandlers),
];
