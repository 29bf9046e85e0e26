import {
  attributeExample,
  AttributeKey,
  attributeMembers,
  ContactAttributeJson,
  ContactAttributePageJson,
} from "../wire/attribute.ts";
import { Nothing } from "../wire/schema.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

const { key, label, type, choices } = attributeExample;
const reading = { roles: EVERYONE, scope: "contacts:read", bots: true, trace: null } as const;
const writing = { roles: ADMINS, scope: "contacts:write", bots: false, trace: "audit" } as const;

/** What custom attributes of contacts hold. Any JSON may be an attribute; these have a type. */
export const attributeOperations = {
  listContactAttributes: operation("attribute.list", {
    says: "The defined attributes of contacts, by key",
    at: "GET /contact-attributes",
    input: pageInput("`nextCursor` of the page before: the key of its last attribute.", key),
    answer: ContactAttributePageJson,
    example: {
      input: {},
      answer: { items: [attributeExample], nextCursor: null },
      after: "attribute.put",
    },
    errors: [],
    ...reading,
    doors: ["v1"],
  }),
  putContactAttribute: operation("attribute.put", {
    says: "Define what an attribute holds, or replace its definition",
    more: "Imports then read it as this type, and rules of segments must fit it. Stored values stay, and contacts may still have any JSON there.",
    at: "PUT /contact-attributes/{key}",
    input: { key: AttributeKey, ...attributeMembers },
    answer: ContactAttributeJson,
    example: { input: { key, label, type, choices: [...choices] }, answer: attributeExample },
    errors: [],
    ...writing,
    doors: ["app", "v1"],
  }),
  readContactAttribute: operation("attribute.show", {
    says: "One defined attribute",
    at: "GET /contact-attributes/{key}",
    input: { key: AttributeKey },
    answer: ContactAttributeJson,
    example: { input: { key }, answer: attributeExample, after: "attribute.put" },
    errors: ["NOT_FOUND"],
    ...reading,
    doors: ["v1"],
  }),
  deleteContactAttribute: operation("attribute.delete", {
    says: "Remove the definition of an attribute; the values stay",
    at: "DELETE /contact-attributes/{key}",
    input: { key: AttributeKey },
    answer: Nothing,
    example: { input: { key }, answer: {}, after: "attribute.put" },
    errors: ["NOT_FOUND"],
    ...writing,
    doors: ["app", "v1"],
  }),
} as const;
