import { Type } from "typebox";
import {
  ContactConsentJson,
  ContactCountJson,
  ContactRecordJson,
  ContactRecordPageJson,
  consentExample,
  contactRecordExample,
  ContactUpsert,
  MOST_UPSERTS,
  SYSTEM_NAME,
  UpsertedJson,
  upsertedExample,
  upsertExample,
  upsertMembers,
  upsertResultsExample,
  UpsertResultsJson,
} from "../wire/contact-record.ts";
import { AT, ID, NO_NUL } from "../wire/schema.ts";
import { definitionExample, DefinitionInput } from "../wire/segment.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

const contactId = Type.String({
  minLength: 1,
  maxLength: 100,
  ...NO_NUL,
  description: "The contact; a merged one means the one that it became.",
  examples: [ID],
});

const INSTANT = "^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,3})?Z$";

/** Contacts, as the systems of the workspace's owner keep them alike. */
export const contactOperations = {
  upsertContact: operation("contact.upsert", {
    says: "Create a contact, or change the one that it matches",
    more: "`match` names the given values by which the contact is found. When they lead to several contacts, when a ref is of another contact, or when the contact has another value for a system of `match`, the answer is 409 `CONTACT_CONFLICT`, and `details` names each contact that a key met. Equal calls at once create one contact. A contact that is so already is not written and emits no event.",
    at: "POST /contacts/upsert",
    input: upsertMembers,
    answer: UpsertedJson,
    example: { input: upsertExample, answer: upsertedExample },
    errors: ["CONTACT_NEEDS_IDENTITY", "CONTACT_CONFLICT"],
    roles: EVERYONE,
    scope: "contacts:write",
    bots: false,
    trace: "contact",
    doors: ["v1", "cli"],
  }),
  batchContacts: operation("contact.batch", {
    says: "Create or change many contacts, each as by an upsert",
    more: `Up to ${MOST_UPSERTS} in one transaction, in their order. One that is refused has the code of its error in its result, and stops no other.`,
    at: "POST /contacts/batch",
    input: {
      contacts: Type.Array(ContactUpsert, {
        minItems: 1,
        maxItems: MOST_UPSERTS,
        description: "The upserts.",
      }),
    },
    answer: UpsertResultsJson,
    example: { input: { contacts: [upsertExample] }, answer: upsertResultsExample },
    errors: [],
    roles: EVERYONE,
    scope: "contacts:write",
    bots: false,
    trace: "contact",
    doors: ["v1", "cli"],
  }),
  findContactByKey: operation("contact.find", {
    says: "The contact with a phone, an e-mail address, or another system's name",
    more: "`key` is `phone`, `email` or `ref.crm`. When several contacts have the value, the answer is 409 `CONTACT_CONFLICT`, and `details` names each.",
    at: "GET /contacts/by/{key}/{value}",
    input: {
      key: Type.String({
        pattern: `^(phone|email|ref\\.${SYSTEM_NAME})$`,
        maxLength: 44,
        description: "`phone`, `email` or `ref.SYSTEM`.",
        examples: ["ref.crm"],
      }),
      value: Type.String({
        minLength: 1,
        maxLength: 200,
        description: "The number, the address, or what the system calls the contact.",
        examples: ["42"],
        ...NO_NUL,
      }),
    },
    answer: ContactRecordJson,
    example: {
      input: { key: "ref.crm", value: "42" },
      answer: contactRecordExample,
      after: "contact.upsert",
    },
    errors: ["NOT_FOUND", "CONTACT_CONFLICT"],
    roles: EVERYONE,
    scope: "contacts:read",
    bots: true,
    trace: null,
    doors: ["v1", "cli"],
  }),
  searchContacts: operation("contact.search", {
    says: "Contacts by the grammar of segments, the one that changed longest ago first",
    more: "A contact that changes while you read on moves to the end, so none is passed over: a copy that reads to the end has all. Without `definition`: all contacts, also those who opted out.",
    at: "POST /contacts/search",
    input: {
      definition: Type.Optional(DefinitionInput),
      ...pageInput(
        "`nextCursor` of the page before: time and id of its last contact.",
        `${AT}_${ID}`,
      ),
    },
    answer: ContactRecordPageJson,
    example: {
      input: { definition: definitionExample, limit: 50 },
      answer: { items: [contactRecordExample], nextCursor: null },
      after: "contact.upsert",
    },
    errors: [],
    roles: EVERYONE,
    scope: "contacts:read",
    bots: true,
    trace: null,
    doors: ["v1", "cli"],
  }),
  countContacts: operation("contact.count", {
    says: "How many contacts fit a definition",
    more: "Without `definition`: all contacts.",
    at: "POST /contacts/count",
    input: { definition: Type.Optional(DefinitionInput) },
    answer: ContactCountJson,
    example: {
      input: { definition: definitionExample },
      answer: { count: 1, exact: true },
      after: "contact.upsert",
    },
    errors: [],
    roles: EVERYONE,
    scope: "contacts:read",
    bots: true,
    trace: null,
    doors: ["v1", "cli"],
  }),
  readContactConsent: operation("contact.read_consent", {
    says: "Whether a contact may be written to, and why",
    at: "GET /contacts/{id}/consent",
    input: { id: contactId },
    answer: ContactConsentJson,
    example: {
      input: { id: ID },
      answer: { contactId: ID, optedOut: false, optedOutAt: null, entries: [] },
    },
    errors: ["NOT_FOUND"],
    roles: EVERYONE,
    scope: "contacts:read",
    bots: true,
    trace: null,
    doors: ["v1", "cli"],
  }),
  putContactConsent: operation("contact.put_consent", {
    says: "Opt a contact out, or in with evidence",
    more: "After the customer's own STOP an opt-in needs `evidence` that they asked for it since, else 409 `CONSENT_HELD`. The ledger keeps the evidence, its time and the key.",
    at: "PUT /contacts/{id}/consent",
    input: {
      id: contactId,
      optedOut: Type.Boolean({ description: "Whether the contact takes no campaigns." }),
      evidence: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          ...NO_NUL,
          description: "How you know that the customer asked for an opt-in.",
          examples: ["Form at the till, signed"],
        }),
      ),
      at: Type.Optional(
        Type.String({
          pattern: INSTANT,
          maxLength: 24,
          description:
            "When the customer asked for it, in UTC; now when it is left out. An opt-in from before their opt-out is held.",
          examples: [AT],
          "x-fault": `must be a time like ${AT}`,
        }),
      ),
    },
    answer: ContactConsentJson,
    example: { input: { id: ID, optedOut: true }, answer: consentExample },
    errors: ["NOT_FOUND", "CONSENT_HELD"],
    roles: ADMINS,
    scope: "contacts:consent",
    bots: false,
    trace: "contact",
    doors: ["v1"],
  }),
} as const;
