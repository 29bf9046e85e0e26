import { Type } from "typebox";
import { AuditPageJson } from "../wire/audit.ts";
import { ID, NO_NUL } from "../wire/schema.ts";
import { limitsExample, LimitsJson, usageHistoryExample, UsageHistoryJson } from "../wire/usage.ts";
import { moment } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { ADMINS, OWNER } from "./roles.ts";

const word = (description: string, example: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, ...NO_NUL, description, examples: [example] }),
  );

/** What the workspace used and may use, and who changed what. */
export const workspaceRecords = {
  listUsageMonths: operation("usage.history", {
    says: "The months before and this one, newest first",
    at: "GET /usage/history",
    input: pageInput("`nextCursor` of the page before: its last month.", "2026-10"),
    answer: UsageHistoryJson,
    example: { input: {}, answer: usageHistoryExample },
    errors: [],
    roles: ADMINS,
    scope: "usage:read",
    bots: false,
    trace: null,
    doors: ["v1"],
  }),
  readLimits: operation("usage.limits", {
    says: "What the plan allows, and how much of it is used",
    at: "GET /limits",
    input: {},
    answer: LimitsJson,
    example: { input: {}, answer: limitsExample },
    errors: [],
    roles: OWNER,
    scope: "usage:read",
    bots: false,
    trace: null,
    doors: ["app", "v1"],
  }),
  listAuditEntries: operation("audit.list", {
    says: "Who changed what, newest first",
    at: "GET /audit",
    input: {
      actor: word("Only of this actor.", `key:${ID}`),
      action: word("A whole action, or a noun for every action on such records.", "segment"),
      subject: word("Only about this record.", ID),
      since: Type.Optional(moment("Only from then on.")),
      ...pageInput("`nextCursor` of the page before.", ID),
    },
    answer: AuditPageJson,
    example: { input: { action: "label" }, answer: { items: [], nextCursor: null } },
    errors: [],
    roles: ADMINS,
    scope: "audit:read",
    bots: false,
    trace: null,
    doors: ["v1"],
  }),
} as const;
