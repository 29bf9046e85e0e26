import { audit } from "./areas/audit.en.ts";
import { inbox } from "./areas/inbox.en.ts";
import { kit } from "./areas/kit.en.ts";
import { people } from "./areas/people.en.ts";
import { sandbox } from "./areas/sandbox.en.ts";
import { search } from "./areas/search.en.ts";
import { security } from "./areas/security.en.ts";
import { shell } from "./areas/shell.en.ts";
import { sms } from "./areas/sms.en.ts";
import { start } from "./areas/start.en.ts";
import { composer } from "./areas/composer.en.ts";
import { faults } from "./areas/faults.en.ts";
import { details } from "./areas/details.en.ts";
import { thread } from "./areas/thread.en.ts";
import { contacts } from "./areas/contacts.en.ts";
import { imports } from "./areas/imports.en.ts";
import { segments } from "./areas/segments.en.ts";
import { campaigns } from "./areas/campaigns.en.ts";
import { campaignReport } from "./areas/campaign-report.en.ts";
import { templates } from "./areas/templates.en.ts";
import { usage } from "./areas/usage.en.ts";
import { channels } from "./areas/channels.en.ts";
import { keys } from "./areas/keys.en.ts";
import { saved } from "./areas/saved.en.ts";

/** All texts of the interface. Each area has its own file, and `t()` knows the keys of all. */
export const en = {
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
