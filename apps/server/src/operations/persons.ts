import { Type } from "typebox";
import { contactExample } from "../wire/contact.ts";
import {
  ContactIdentitiesJson,
  ContactTimelineJson,
  DuplicatePageJson,
  identitiesExample,
  MergePreviewJson,
  mergePreviewExample,
} from "../wire/person.ts";
import { AT, ID, oneOf } from "../wire/schema.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

const id = anyId("The contact; a merged one means the one that it became.");
/** Places on a timeline and e-mail addresses. */
const LONGEST_CURSOR = 400;
const reading = {
  scope: "contacts:read",
  bots: false,
  trace: null,
  doors: ["app", "v1"],
} as const;

/** What is known of one person, and which contacts may be one person. */
export const personOperations = {
  listContactTimeline: operation("contact.timeline", {
    says: "What happened to a contact, newest first",
    more: "Messages, campaigns, consent, changes, merges, passcodes and entries of the audit, over all contacts that were merged into it. The words of messages need `messages:read` too; without it `text` is null.",
    at: "GET /contacts/{id}/timeline",
    input: {
      id,
      ...pageInput(
        "`nextCursor` of the page before: the place of its last item.",
        `01a3b0e27c00~created~${ID}`,
        LONGEST_CURSOR,
      ),
    },
    answer: ContactTimelineJson,
    example: {
      input: { id: ID },
      answer: {
        items: [{ at: AT, kind: "created", facts: { contactId: ID, by: "record" } }],
        nextCursor: null,
      },
    },
    errors: ["NOT_FOUND"],
    roles: EVERYONE,
    ...reading,
  }),
  readContactIdentities: operation("contact.identities", {
    says: "Who a contact is on each channel, in other systems, and before it was merged",
    at: "GET /contacts/{id}/identities",
    input: { id },
    answer: ContactIdentitiesJson,
    example: { input: { id: ID }, answer: identitiesExample },
    errors: ["NOT_FOUND"],
    roles: EVERYONE,
    ...reading,
    doors: ["v1"],
  }),
  previewContactMerge: operation("contact.preview_merge", {
    says: "What a merge would make of two contacts",
    more: "Changes nothing. `POST /v1/contacts/{id}/merge` does it.",
    at: "GET /contacts/{id}/merge-preview",
    input: { id, mergedId: anyId("The contact that would be merged into it.") },
    answer: MergePreviewJson,
    example: { input: { id: ID, mergedId: ID }, answer: mergePreviewExample },
    errors: ["NOT_FOUND"],
    roles: ADMINS,
    ...reading,
    otherScopes: ["contacts:write"],
  }),
  listContactDuplicates: operation("contact.duplicates", {
    says: "Contacts that share a number, an e-mail address or an external id",
    more: "The same name is no duplicate. A page looks for a second at most, so it may be empty without being the last.",
    at: "GET /contacts/duplicates",
    input: {
      by: Type.Optional(
        oneOf(["phone", "email", "externalId"], "What they share; `phone` when absent.", "phone"),
      ),
      ...pageInput(
        "`nextCursor` of the page before: what its last contacts share.",
        "201001234567",
        LONGEST_CURSOR,
      ),
    },
    answer: DuplicatePageJson,
    example: {
      input: { by: "phone" },
      answer: {
        items: [{ address: "201001234567", count: 2, contacts: [contactExample, contactExample] }],
        nextCursor: null,
      },
    },
    errors: [],
    roles: EVERYONE,
    ...reading,
    otherScopes: ["contacts:write"],
  }),
} as const;
