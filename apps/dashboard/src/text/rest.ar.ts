import { audit } from "./areas/audit.ar.ts";
import { sms } from "./areas/sms.ar.ts";
import { ai } from "./areas/ai.ar.ts";
import { botReport } from "./areas/bot-report.ar.ts";
import { bots } from "./areas/bots.ar.ts";
import { cases } from "./areas/cases.ar.ts";
import { changes } from "./areas/changes.ar.ts";
import { contacts } from "./areas/contacts.ar.ts";
import { imports } from "./areas/imports.ar.ts";
import { segments } from "./areas/segments.ar.ts";
import { campaigns } from "./areas/campaigns.ar.ts";
import { campaignReport } from "./areas/campaign-report.ar.ts";
import { templates } from "./areas/templates.ar.ts";
import { usage } from "./areas/usage.ar.ts";
import { channels } from "./areas/channels.ar.ts";
import { flow } from "./areas/flow.ar.ts";
import { hours } from "./areas/hours.ar.ts";
import { retention } from "./areas/retention.ar.ts";
import { keys } from "./areas/keys.ar.ts";
import { knowledge } from "./areas/knowledge.ar.ts";
import { sandbox } from "./areas/sandbox.ar.ts";
import { saved } from "./areas/saved.ar.ts";
import { account } from "./areas/account.ar.ts";
import { team } from "./areas/team.ar.ts";
import { twoFactor } from "./areas/two-factor.ar.ts";

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
