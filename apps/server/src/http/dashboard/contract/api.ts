import { declared } from "./declared.ts";
import { campaigns } from "./campaigns.ts";
import { thread } from "./thread.ts";
import { contacts } from "./contacts.ts";
import type { AppFace } from "./face.ts";
import { inbox } from "./inbox.ts";
import { keys } from "./keys.ts";
import { people } from "./people.ts";
import { team } from "./team.ts";
import { settings } from "./settings.ts";
import { twoFactor } from "./two-factor.ts";
import { imports } from "./imports.ts";
import { segments } from "./segments.ts";
import { sandbox } from "./sandbox.ts";
import { channels } from "./channels.ts";
import { sms } from "./sms.ts";
import { firstSteps } from "./first-steps.ts";
import { templates } from "./templates.ts";
import { usage } from "./usage.ts";

/** Every call of the dashboard's API. The browser imports the type only. */
export const api = {
  ...declared,
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
  ...firstSteps,
  ...templates,
  ...usage,
  ...contacts,
  ...imports,
  ...segments,
} as const satisfies Readonly<Record<string, AppFace>>;
export type Api = typeof api;
