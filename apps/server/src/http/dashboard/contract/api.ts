import { campaigns } from "./campaigns.ts";
import { thread } from "./thread.ts";
import type { AppFace } from "./face.ts";
import { inbox } from "./inbox.ts";
import { keys } from "./keys.ts";
import { people } from "./people.ts";
import { team } from "./team.ts";
import { settings } from "./settings.ts";
import { twoFactor } from "./two-factor.ts";
import { sandbox } from "./sandbox.ts";
import { channels } from "./channels.ts";
import { sms } from "./sms.ts";

/** Every call of the dashboard's API. The browser imports the type only. */
export const api = {
  ...inbox,
  ...thread,
  ...people,
  ...team,
  ...twoFactor,
  ...settings,
  ...sandbox,
  ...channels,
  ...sms,
  ...keys,
  ...campaigns,
} as const satisfies Readonly<Record<string, AppFace>>;
export type Api = typeof api;
