import { Type } from "typebox";
import { contactExample, ContactJson, contactMembers, partMembers } from "./contact.ts";
import {
  AT,
  count,
  ID,
  id,
  NO_NUL,
  nullableText,
  nullableTime,
  oneOf,
  time,
  type Shown,
} from "./schema.ts";

/** How many systems may name one contact. */
export const MOST_REFS = 10;
/** How many upserts one batch may hold. */
export const MOST_UPSERTS = 500;

/** The name of another system. */
export const SYSTEM_NAME = "[a-z0-9_-]{1,40}";
const RefValue = {
  minLength: 1,
  maxLength: 200,
  pattern: "^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$",
};

export const ContactRecordJson = Type.Object(
  {
    ...ContactJson.properties,
    refs: Type.Record(Type.String(), Type.String(), {
      description: "What other systems call the contact, by the name of the system.",
    }),
    updatedAt: time("When a field, a ref or the consent last changed."),
  },
  { $id: "ContactRecord", description: "A contact with what other systems call it." },
);
export type ContactRecordJson = Shown<typeof ContactRecordJson>;

/** Refs as a caller sets them. */
const Refs = Type.Unsafe<Record<string, string | null>>({
  type: "object",
  maxProperties: MOST_REFS,
  propertyNames: { pattern: `^${SYSTEM_NAME}$` },
  additionalProperties: {
    type: ["string", "null"],
    ...RefValue,
    "x-fault": "must be 1 to 200 characters, or null to remove it",
  },
  description: `What other systems call the contact: \`{"crm": "42"}\`. A value leads to one contact of the workspace. Systems that are left out stay, and null removes one. At most ${MOST_REFS} systems a contact.`,
  examples: [{ crm: "42" }],
});

/** One contact by what another system calls it. */
export const OneRef = Type.Unsafe<Record<string, string>>({
  type: "object",
  minProperties: 1,
  maxProperties: 1,
  propertyNames: { pattern: `^${SYSTEM_NAME}$` },
  additionalProperties: { type: "string", ...RefValue, "x-fault": "must be 1 to 200 characters" },
  description: "A contact with a number, by what another system calls it.",
  examples: [{ crm: "42" }],
});

/** The members of an upsert. */
export const upsertMembers = {
  match: Type.Array(
    Type.String({
      pattern: `^(id|phone|email|refs\\.${SYSTEM_NAME})$`,
      maxLength: 45,
      "x-fault": "must be id, phone, email or refs.SYSTEM",
    }),
    {
      minItems: 1,
      maxItems: MOST_REFS + 3,
      description:
        "By which of the given values the contact is found: `id`, `phone`, `email`, `refs.crm`. All that are named must be given. A phone is compared in every spelling of its country, an e-mail address in any case.",
      examples: [["refs.crm", "phone"]],
    },
  ),
  id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      ...NO_NUL,
      description:
        "The contact's id, for `match`; a merged one means the one that it became. It finds a contact and never creates one.",
      examples: [ID],
    }),
  ),
  ...contactMembers,
  refs: Type.Optional(Refs),
  ...partMembers,
};

export const ContactUpsert = Type.Object(upsertMembers, {
  $id: "ContactUpsert",
  additionalProperties: false,
  description:
    "A contact to create, or to change where it exists. A member that is left out, and an empty text, changes nothing. `tags` and `attributes` replace; the members with `add`, `set` and `remove` change one by one.",
});
export type ContactUpsert = Shown<typeof ContactUpsert>;

export const UPSERT_OUTCOMES = ["created", "updated", "unchanged"] as const;
const OUTCOME =
  "`unchanged`: the contact was so already; nothing was written and no event is emitted.";

export const UpsertedJson = Type.Object(
  { outcome: oneOf(UPSERT_OUTCOMES, OUTCOME), contact: ContactRecordJson },
  { $id: "UpsertedContact", description: "What an upsert did, and the contact as it is now." },
);
export type UpsertedJson = Shown<typeof UpsertedJson>;

const FaultJson = Type.Object(
  {
    message: Type.String({ description: "The code of the error, as for a single upsert." }),
    details: Type.Array(
      Type.Object({
        path: Type.String({ description: "The member." }),
        message: Type.String({ description: "What is wrong with it." }),
      }),
      { description: "Each fault, or each contact that a key met." },
    ),
  },
  { $id: "UpsertFault", description: "Why one upsert of a batch was refused." },
);

const UpsertDoneJson = Type.Object(
  {
    outcome: oneOf(UPSERT_OUTCOMES, OUTCOME),
    contactId: Type.String({ description: "The contact." }),
  },
  { $id: "UpsertDone", description: "One upsert of a batch that was carried out." },
);

const UpsertRefusedJson = Type.Object(
  {
    outcome: oneOf(["refused"], "Nothing was written."),
    contactId: Type.Null({ description: "No contact is given." }),
    error: FaultJson,
  },
  { $id: "UpsertRefused", description: "One upsert of a batch that was refused." },
);

export const UpsertResultsJson = Type.Object(
  {
    results: Type.Array(
      Type.Union([UpsertDoneJson, UpsertRefusedJson], {
        $id: "UpsertResult",
        description:
          "What one upsert of a batch did. `outcome` says which: `UpsertDone` or `UpsertRefused`.",
      }),
      { description: "One for each upsert, in their order." },
    ),
  },
  { $id: "UpsertResults", description: "What the upserts of a batch did." },
);
export type UpsertResultsJson = Shown<typeof UpsertResultsJson>;

export const ContactRecordPageJson = Type.Object(
  {
    items: Type.Array(ContactRecordJson, {
      description: "The one that changed longest ago first.",
    }),
    nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "ContactRecordPage", description: "Read on with `cursor` until `nextCursor` is null." },
);

export const ContactCountJson = Type.Object(
  {
    count: count("How many contacts fit."),
    exact: Type.Boolean({
      description: "False: it took too long, and there are at least so many.",
    }),
  },
  { $id: "ContactCount", description: "How many contacts fit a definition." },
);

/** The consent of a contact, with what led to it. */
export const ContactConsentJson = Type.Object(
  {
    contactId: id("The contact."),
    optedOut: Type.Boolean({ description: "Whether the contact takes no campaigns." }),
    optedOutAt: nullableTime("Since when."),
    entries: Type.Array(
      Type.Object({
        at: time("When."),
        optedOut: Type.Boolean({ description: "What was asked for." }),
        source: Type.String({
          description:
            "What asked for it: stop_word, platform, dashboard, api, import, cli, bulk, number, merge.",
        }),
        detail: nullableText(
          "The word, the platform's code, a member's id or the public half of a key.",
        ),
        held: Type.Boolean({
          description: "An opt-in that changed nothing: the customer's own STOP is in force.",
        }),
        evidence: nullableText("How it is known that the customer asked for an opt-in."),
        givenSource: nullableText(
          "Where the customer said so: `source` of the call that changed it.",
        ),
      }),
      { description: "The ledger, newest first: 100 entries at most." },
    ),
  },
  { $id: "ContactConsent", description: "Whether a contact may be written to, and why." },
);
export type ContactConsentJson = Shown<typeof ContactConsentJson>;

export const contactRecordExample: ContactRecordJson = {
  ...contactExample,
  refs: { crm: "42" },
  updatedAt: AT,
};
export const upsertExample = {
  match: ["refs.crm", "phone"],
  name: "Sara Haddad",
  phone: "201001234567",
  refs: { crm: "42" },
  addTags: ["vip"],
  setAttributes: { city: "Cairo" },
};
export const upsertedExample: UpsertedJson = { outcome: "created", contact: contactRecordExample };
export const upsertResultsExample: UpsertResultsJson = {
  results: [{ outcome: "created", contactId: ID }],
};
export const consentExample: ContactConsentJson = {
  contactId: ID,
  optedOut: true,
  optedOutAt: AT,
  entries: [
    {
      at: AT,
      optedOut: true,
      source: "api",
      detail: "pk_live_0123456789abcdef",
      held: false,
      evidence: null,
      givenSource: null,
    },
  ],
};
