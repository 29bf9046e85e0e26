import { Type } from "typebox";
import { labelExample, LabelJson, LabelName, LabelPageJson } from "../wire/label.ts";
import { Nothing } from "../wire/schema.ts";
import { pageInput } from "./page.ts";
import { operation } from "./operation.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

/** Labels of conversations. Any text may be a label of a conversation; these have a color. */
export const labels = {
  listLabels: operation("label.list", {
    says: "List the labels that have a color, by name",
    at: "GET /labels",
    input: pageInput(
      "`nextCursor` of the page before: the name of its last label.",
      labelExample.name,
    ),
    answer: LabelPageJson,
    example: { input: {}, answer: { items: [labelExample], nextCursor: null }, after: "label.put" },
    errors: [],
    roles: EVERYONE,
    scope: "messages:read",
    otherScopes: ["conversations:write"],
    bots: true,
    trace: null,
    doors: ["app", "v1", "cli"],
  }),
  putLabel: operation("label.put", {
    says: "Create a label, or change its color or its name",
    more: "With `newName` its conversations keep the label under the new name. The same call twice changes nothing more.",
    at: "PUT /labels/{name}",
    input: {
      name: LabelName,
      color: Type.String({
        pattern: "^#[0-9a-f]{6}$",
        maxLength: 7,
        description: "#rrggbb, in lower case.",
        "x-fault": "must be a color like #b3261e",
      }),
      newName: Type.Optional(LabelName),
    },
    answer: LabelJson,
    example: {
      input: { name: labelExample.name, color: labelExample.color },
      answer: labelExample,
    },
    errors: [],
    roles: ADMINS,
    scope: "conversations:write",
    bots: false,
    trace: "audit",
    doors: ["app", "v1", "cli"],
    refreshes: "lists",
  }),
  readLabel: operation("label.show", {
    says: "One label",
    at: "GET /labels/{name}",
    input: { name: LabelName },
    answer: LabelJson,
    example: { input: { name: labelExample.name }, answer: labelExample, after: "label.put" },
    errors: ["NOT_FOUND"],
    roles: EVERYONE,
    scope: "messages:read",
    otherScopes: ["conversations:write"],
    bots: true,
    trace: null,
    doors: ["v1", "cli"],
  }),
  deleteLabel: operation("label.delete", {
    says: "Delete a label, also from its conversations in the inbox",
    at: "DELETE /labels/{name}",
    input: { name: LabelName },
    answer: Nothing,
    example: { input: { name: labelExample.name }, answer: {}, after: "label.put" },
    errors: ["NOT_FOUND"],
    roles: ADMINS,
    scope: "conversations:write",
    bots: false,
    trace: "audit",
    doors: ["app", "v1", "cli"],
    refreshes: "lists",
  }),
} as const;
