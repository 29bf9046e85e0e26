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
import { erasureExample, ErasureProgressJson } from "../wire/erasure.ts";
import { AT, ID, NO_NUL, oneOf } from "../wire/schema.ts";
import { definitionExample, DefinitionInput } from "../wire/segment.ts";
import { CONTACT_SEARCH_ORDERS } from "../wire/words.ts";
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
    more: "`match` names the given values by which the contact is found. `id` finds a contact that has neither phone nor e-mail address, such as a customer on Telegram, to give it a ref; it creates none, so an unknown one is 404 `NOT_FOUND`. When they lead to several contacts, when a ref is of another contact, or when the contact has another value for a system of `match`, the answer is 409 `CONTACT_CONFLICT`, and `details` names each contact that a key met. Equal calls at once create one contact. A contact that is so already is not written and emits no event.",
    at: "POST /contacts/upsert",
    input: upsertMembers,
    answer: UpsertedJson,
    example: { input: upsertExample, answer: upsertedExample },
    createdWhen: ["outcome", "created"],
    errors: ["NOT_FOUND", "CONTACT_NEEDS_IDENTITY", "CONTACT_CONFLICT"],
    roles: EVERYONE,
    scope: "contacts:write",
    bots: false,
    trace: "contact",
    doors: ["v1", "cli"],
  }),
  batchContacts: operation("contact.batch", {
    says: "Create or change many contacts, each as by an upsert",
    more: `Up to ${MOST_UPSERTS} in one transaction, in their order. One that is refused, also for its shape, has the code of its error in its result, and stops no other.`,
    at: "POST /contacts/batch",
    input: {
      contacts: Type.Array(ContactUpsert, {
        minItems: 1,
        maxItems: MOST_UPSERTS,
        "x-each": true,
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
    more: "`key` is `phone`, `email` or `refs.crm`, as in `match` of an upsert; `ref.crm` is the same. When several contacts have the value, the answer is 409 `CONTACT_CONFLICT`, and `details` names each.",
    at: "GET /contacts/by/{key}/{value}",
    input: {
      key: Type.String({
        pattern: `^(phone|email|refs?\\.${SYSTEM_NAME})$`,
        maxLength: 45,
        description:
          "`phone`, `email` or `ref.SYSTEM`, which may be spelt `refs.SYSTEM` as in an upsert.",
        examples: ["refs.crm"],
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
      input: { key: "refs.crm", value: "42" },
      answer: contactRecordExample,
      after: "contact.upsert",
    },
    errors: ["NOT_FOUND", "CONTACT_CONFLICT"],
    // As `GET /contacts/{id}` has it, which shows less.
    versioned: { without: ["refs", "updatedAt"] },
    roles: EVERYONE,
    scope: "contacts:read",
    bots: true,
    trace: null,
    doors: ["v1", "cli"],
  }),
  searchContacts: operation("contact.search", {
    says: "Contacts by the grammar of segments, the one that changed longest ago first",
    more: "In the order `updatedAt`, which is the default, a contact that changes while you read on moves to the end, so none is passed over: a copy that reads to the end has all. Without `definition`: all contacts, also those who opted out.",
    at: "POST /contacts/search",
    input: {
      definition: Type.Optional(DefinitionInput),
      sort: Type.Optional(
        oneOf(
          CONTACT_SEARCH_ORDERS,
          "`updatedAt`: the one that changed longest ago first, as without it. `newest`: the newest first.",
          "updatedAt",
        ),
      ),
      ...pageInput("`nextCursor` of the page before, in the same order.", `${AT}_${ID}`),
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
    doors: ["v1", "cli", "mcp"],
    tool: { name: "count_segment", class: "read" },
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
      source: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 80,
          pattern: "^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$",
          "x-fault": "must be 1 to 80 characters of one line",
          description: "Where the customer said so: a form, a call, a shop.",
          examples: ["web form"],
        }),
      ),
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
  mergeContact: operation("contact.merge_into", {
    says: "Merge another contact into this one",
    more: "What this contact has wins, what it lacks is taken from the other, tags and notes are joined, and opted out wins. The merged id goes on answering as this contact. The same call twice changes nothing more. Emits `contact.merged` and `contact.updated`.",
    at: "POST /contacts/{id}/merge",
    input: {
      id: contactId,
      mergedId: Type.String({
        minLength: 1,
        maxLength: 100,
        ...NO_NUL,
        description: "The contact that is merged into it.",
        examples: [ID],
      }),
    },
    answer: ContactRecordJson,
    example: { input: { id: ID, mergedId: ID }, answer: contactRecordExample },
    errors: ["NOT_FOUND"],
    roles: ADMINS,
    scope: "contacts:write",
    bots: false,
    trace: "audit",
    doors: ["app", "v1"],
  }),
  eraseContact: operation("erasure.start", {
    says: "Erase a person: the contact at once, everything else in batches",
    more: "Messages, files, passcodes, what campaigns stored and what events and kept answers say of the person are removed; an opt-out stays with the hash of the number. Nothing brings it back. The same call twice gives the same erasure, which `GET /v1/erasures/{id}` shows.",
    at: "DELETE /contacts/{id}",
    input: { id: contactId },
    answer: ErasureProgressJson,
    example: { input: { id: ID }, answer: { ...erasureExample, alike: [] } },
    errors: ["NOT_FOUND"],
    roles: ADMINS,
    scope: "contacts:erase",
    bots: false,
    trace: "audit",
    status: 202,
    doors: ["v1"],
  }),
  readErasure: operation("erasure.show", {
    says: "How far an erasure is",
    at: "GET /erasures/{id}",
    input: {
      id: Type.String({
        minLength: 1,
        maxLength: 100,
        ...NO_NUL,
        description: "The erasure.",
        examples: [ID],
      }),
    },
    answer: ErasureProgressJson,
    example: { input: { id: ID }, answer: erasureExample },
    errors: ["NOT_FOUND"],
    roles: ADMINS,
    scope: "contacts:erase",
    bots: false,
    trace: null,
    doors: ["app", "v1"],
  }),
} as const;
