import { MeJson, memberExample, MemberPageJson, meExample } from "../wire/member.ts";
import { ID } from "../wire/schema.ts";
import { SCOPES } from "../wire/words.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { EVERYONE } from "./roles.ts";

/** Who works in the workspace, and with which key. */
export const teamReads = {
  listTeamMembers: operation("member.list", {
    says: "List the members of the workspace",
    at: "GET /members",
    input: pageInput("`nextCursor` of the page before.", ID),
    answer: MemberPageJson,
    example: { input: {}, answer: { items: [memberExample], nextCursor: null } },
    errors: [],
    roles: EVERYONE,
    scope: "team:read",
    bots: false,
    trace: null,
    doors: ["v1", "cli"],
  }),
  readMe: operation("key.me", {
    says: "The key of the request, its workspace and its scopes",
    more: "Any scope opens it.",
    at: "GET /me",
    input: {},
    answer: MeJson,
    example: { input: {}, answer: meExample },
    errors: [],
    roles: [],
    scope: "messages:read",
    otherScopes: SCOPES,
    bots: false,
    trace: null,
    doors: ["v1", "mcp"],
    tool: { name: "whoami", class: "read" },
  }),
} as const;
