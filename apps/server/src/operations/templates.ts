import { TemplateSyncJson } from "../wire/channel.ts";
import { ID, Nothing } from "../wire/schema.ts";
import { contentExample, newTemplate, templateWording } from "../wire/template-draft.ts";
import { templateExample, TemplateJson } from "../wire/template.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

const id = anyId("The template.");
const writing = { roles: ADMINS, scope: "templates:write", bots: false, trace: "audit" } as const;
const { body, bodyExamples } = contentExample;
/** As it is right after it was submitted. */
const submitted = {
  ...templateExample,
  status: "PENDING",
  components: [{ type: "BODY", text: body, example: { body_text: [bodyExamples] } }],
};

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
    ...writing,
    doors: ["app", "v1"],
  }),
  createTemplate: operation("template.create", {
    says: "Submit a template for the platform's review",
    more: "What the platform would refuse, and what it refuses, is a 400 with the field in `details`. `template.status` says what it decided. 503: it may have arrived; look at the list before you try again.",
    at: "POST /templates",
    input: newTemplate,
    answer: TemplateJson,
    example: {
      input: {
        channelId: ID,
        name: templateExample.name,
        language: "en_US",
        category: "UTILITY",
        ...contentExample,
      },
      answer: submitted,
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    status: 201,
    ...writing,
    doors: ["app", "v1"],
  }),
  editTemplate: operation("template.edit", {
    says: "Submit other content for a template",
    more: "It is reviewed again. Name, language and category stay. 409 `NOT_ALLOWED_IN_STATE` unless it is APPROVED, REJECTED or PAUSED.",
    at: "PUT /templates/{id}",
    input: { id, ...templateWording },
    answer: TemplateJson,
    example: { input: { id: ID, ...contentExample }, answer: submitted },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...writing,
    doors: ["app", "v1"],
  }),
  deleteTemplate: operation("template.delete", {
    says: "Delete a template, here and at its platform",
    more: "Other languages of its name stay. The platform takes no new template of the name for some weeks. 409 `NOT_ALLOWED_IN_STATE` while a scheduled or running campaign sends it.",
    at: "DELETE /templates/{id}",
    input: { id },
    answer: Nothing,
    example: { input: { id: ID }, answer: {} },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...writing,
    doors: ["app", "v1", "cli"],
  }),
  readTemplate: operation("channel.template", {
    says: "One template, whatever the platform says of it",
    at: "GET /templates/{id}",
    input: { id },
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
