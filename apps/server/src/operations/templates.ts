import { TemplateSyncJson } from "../wire/channel.ts";
import { ID } from "../wire/schema.ts";
import { templateExample, TemplateJson } from "../wire/template.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

/** Templates of platforms. */
export const templateOperations = {
  syncTemplates: operation("channel.read_templates", {
    says: "Read a channel's templates at its platform now",
    more: "It may take half a minute for thousands.",
    at: "POST /channels/{id}/template-sync",
    input: { id: anyId("The channel.") },
    answer: TemplateSyncJson,
    example: {
      input: { id: ID },
      answer: { ok: true, total: 0, changed: 0, fault: null },
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    roles: ADMINS,
    scope: "templates:write",
    bots: false,
    trace: "audit",
    doors: ["v1"],
  }),
  readTemplate: operation("channel.template", {
    says: "One template, whatever the platform says of it",
    at: "GET /templates/{id}",
    input: { id: anyId("The template.") },
    answer: TemplateJson,
    example: { input: { id: ID }, answer: templateExample },
    errors: ["NOT_FOUND"],
    roles: EVERYONE,
    scope: "templates:read",
    bots: true,
    trace: null,
    doors: ["v1"],
  }),
} as const;
