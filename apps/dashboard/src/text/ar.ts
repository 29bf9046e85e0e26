import { audit } from "./areas/audit.ar.ts";
import { inbox } from "./areas/inbox.ar.ts";
import { kit } from "./areas/kit.ar.ts";
import { people } from "./areas/people.ar.ts";
import { sandbox } from "./areas/sandbox.ar.ts";
import { search } from "./areas/search.ar.ts";
import { security } from "./areas/security.ar.ts";
import { shell } from "./areas/shell.ar.ts";
import { sms } from "./areas/sms.ar.ts";
import { start } from "./areas/start.ar.ts";
import { composer } from "./areas/composer.ar.ts";
import { faults } from "./areas/faults.ar.ts";
import { details } from "./areas/details.ar.ts";
import { thread } from "./areas/thread.ar.ts";
import { contacts } from "./areas/contacts.ar.ts";
import { imports } from "./areas/imports.ar.ts";
import { segments } from "./areas/segments.ar.ts";
import { campaigns } from "./areas/campaigns.ar.ts";
import { campaignReport } from "./areas/campaign-report.ar.ts";
import { templates } from "./areas/templates.ar.ts";
import { usage } from "./areas/usage.ar.ts";
import { channels } from "./areas/channels.ar.ts";
import { keys } from "./areas/keys.ar.ts";
import { saved } from "./areas/saved.ar.ts";

/** All texts of the interface. Each area has its own file, and `t()` knows the keys of all. */
export const ar = {
  ...audit,
  ...inbox,
  ...kit,
  ...people,
  ...sandbox,
  ...search,
  ...security,
  ...shell,
  ...composer,
  ...details,
  ...faults,
  ...thread,
  ...sms,
  ...start,
  ...contacts,
  ...imports,
  ...segments,
  ...campaigns,
  ...campaignReport,
  ...templates,
  ...usage,
  ...channels,
  ...keys,
  ...saved,
} as const;
