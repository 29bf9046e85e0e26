import { audit } from "./areas/audit.en.ts";
import { sms } from "./areas/sms.en.ts";
import { ai } from "./areas/ai.en.ts";
import { botReport } from "./areas/bot-report.en.ts";
import { bots } from "./areas/bots.en.ts";
import { cases } from "./areas/cases.en.ts";
import { changes } from "./areas/changes.en.ts";
import { contacts } from "./areas/contacts.en.ts";
import { imports } from "./areas/imports.en.ts";
import { segments } from "./areas/segments.en.ts";
import { campaigns } from "./areas/campaigns.en.ts";
import { campaignReport } from "./areas/campaign-report.en.ts";
import { templates } from "./areas/templates.en.ts";
import { usage } from "./areas/usage.en.ts";
import { channels } from "./areas/channels.en.ts";
import { flow } from "./areas/flow.en.ts";
import { hours } from "./areas/hours.en.ts";
import { retention } from "./areas/retention.en.ts";
import { keys } from "./areas/keys.en.ts";
import { knowledge } from "./areas/knowledge.en.ts";
import { sandbox } from "./areas/sandbox.en.ts";
import { saved } from "./areas/saved.en.ts";
import { account } from "./areas/account.en.ts";
import { team } from "./areas/team.en.ts";
import { twoFactor } from "./areas/two-factor.en.ts";

export const texts = {
  ...audit,
  ...sms,
  ...ai,
  ...bots,
  ...cases,
  ...changes,
  ...botReport,
  ...contacts,
  ...imports,
  ...segments,
  ...campaigns,
  ...campaignReport,
  ...templates,
  ...usage,
  ...channels,
  ...flow,
  ...hours,
  ...retention,
  ...keys,
  ...knowledge,
  ...sandbox,
  ...saved,
  ...account,
  ...team,
  ...twoFactor,
} as const;
