import type { CallName } from "./call.ts";

/**
 * The pages that not every role opens, each by a call that it exists for: who may not make the call does not open the
 * page. The lists of pages leave such a page out, and its address says who may open it (`opens` in its route). All other pages are
 * open to every member, and offer nothing that the member's role refuses (`useMay`).
 */
export const PAGE_CALLS = {
  "/contacts/import": "startImport",
  "/segments/new": "createSegment",
  "/campaigns/new": "createBroadcast",
  "/templates/new": "createTemplate",
  "/templates/$id/edit": "editTemplate",
  "/bots/report": "botReport",
  "/usage": "readUsage",
  "/settings/workspace": "readWorkspace",
  "/settings/team": "listTeam",
  "/settings/channels": "listChannels",
  "/settings/channels/connect": "connectChannel",
  "/settings/channels/$id": "readChannel",
  "/settings/channels/$id/widget": "changeWebChannel",
  "/settings/sms": "readSms",
  "/settings/sms/passcodes": "sendPasscode",
  "/settings/ai": "readModel",
  "/settings/business-hours": "saveHours",
  "/settings/data-retention": "changeRetention",
  "/settings/labels": "putLabel",
  "/settings/attributes": "putContactAttribute",
  "/settings/opt-out-words": "listConsentWords",
  "/settings/api-keys": "listKeys",
  "/settings/webhooks": "listEndpoints",
  "/settings/webhooks/$id": "readWebhookEndpoint",
  "/settings/limits": "readLimits",
  "/settings/audit-log": "listAudit",
} as const satisfies Readonly<Record<string, CallName>>;

/** The call that decides whether a role opens the page; undefined: every role does. */
export function callOfPage(page: string): CallName | undefined {
  const all: Readonly<Record<string, CallName>> = PAGE_CALLS;
  return Object.hasOwn(all, page) ? all[page] : undefined;
}
