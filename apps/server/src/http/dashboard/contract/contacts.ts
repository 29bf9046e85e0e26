import { Type } from "typebox";
import {
  id,
  NO_NUL,
  nullableCount,
  nullableOneOf,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "../../../wire/schema.ts";
import { ContactChangeInput, ContactJobJson } from "../../../wire/contact-job.ts";
import { ErasureProgressJson } from "../../../wire/erasure.ts";
import { TemplateJson } from "../../../wire/template.ts";
import {
  ATTRIBUTE_TYPES,
  CHANNEL_TYPES,
  CONTACT_ORDERS,
  CONVERSATION_STATUSES,
} from "../../../wire/words.ts";
import { ADMINS, EVERYONE, face } from "./face.ts";
import { DefinitionJson } from "./segments.ts";
import { Id, Nothing } from "./inputs.ts";

const Line = (maxLength: number) => Type.String({ maxLength, ...NO_NUL });

/** Which contacts: those that fit every given part. */
const FILTER = {
  /** Part of a name, e-mail or phone. */
  search: Type.Optional(Line(200)),
  /** JSON: rules as in a segment. */
  definition: Type.Optional(Line(8_000)),
  /** The id of a saved segment. */
  segment: Type.Optional(Id),
};

export const ContactLine = Type.Object({
  id: id("The contact."),
  name: nullableText("As it is stored."),
  phone: nullableText("E.164 without the plus sign."),
  email: nullableText("Its address."),
  channelType: nullableOneOf(CHANNEL_TYPES, "Where they first wrote."),
  tags: Type.Array(Type.String()),
  attributes: Type.Record(Type.String(), Type.Unknown()),
  optedOut: Type.Boolean(),
  lastSeenAt: nullableTime("When they last wrote."),
  createdAt: time("When the contact was made."),
});
export type ContactLine = Shown<typeof ContactLine>;

export const ContactFull = Type.Object({
  ...ContactLine.properties,
  notes: nullableText("What the team notes."),
  externalId: nullableText("The id on that channel."),
  optedOutAt: nullableTime("Since when."),
});
export type ContactFull = Shown<typeof ContactFull>;

export const PersonJson = Type.Object({
  contact: ContactFull,
  /** Contacts that were merged into this one. */
  merged: Type.Array(
    Type.Object({
      id: id("The id it had."),
      name: nullableText("As it was."),
      mergedAt: time("When."),
    }),
  ),
  identities: Type.Array(
    Type.Object({
      channelId: text("The channel."),
      externalId: text("How the channel knows the person."),
      isNumber: Type.Boolean(),
      since: time("Since when."),
      retiredAt: nullableTime("The person has another one since then."),
    }),
  ),
  refs: Type.Array(
    Type.Object({
      system: text("The other system."),
      value: text("What it calls the contact."),
    }),
  ),
  /** Other contacts with the same number or e-mail address. */
  alike: Type.Array(ContactLine),
  conversations: Type.Array(
    Type.Object({
      id: id("The conversation."),
      channelId: text("Its channel."),
      channelType: text("The kind of channel."),
      status: oneOf(CONVERSATION_STATUSES, "Its state."),
      lastMessageAt: nullableTime("When the last message came or went."),
      preview: text("Its last words; may be empty."),
      inInbox: Type.Boolean({ description: "Members find it in the inbox." }),
    }),
  ),
});
export type PersonJson = Shown<typeof PersonJson>;

const ConsentLine = Type.Object({
  at: time("When."),
  optedOut: Type.Boolean(),
  source: text(
    "What asked for it: stop_word, platform, dashboard, api, import, cli, bulk, number, merge.",
  ),
  channelType: nullableText("The kind of channel that said it, or SMS."),
  detail: nullableText(
    "The word, the platform's code, the member's id or the public half of a key.",
  ),
  phone: nullableText("The number."),
  held: Type.Boolean({
    description: "A try to opt in that changed nothing: the customer's own STOP is in force.",
  }),
  evidence: nullableText("How a person knew that the customer asked for an opt-in."),
});
export type ConsentLine = Shown<typeof ConsentLine>;

const AttributeJson = Type.Object({
  key: text("Its name in rules and templates."),
  label: text("As it is shown."),
  type: oneOf(ATTRIBUTE_TYPES, "What it holds."),
  choices: Type.Array(Type.String({ description: "Of a choice: all it can be." })),
  defined: Type.Boolean({
    description: "False: contacts have it without a definition, and its type is a guess.",
  }),
});
export type AttributeJson = Shown<typeof AttributeJson>;

/** Contacts: the list, one person, changes to many. */
export const contacts = {
  /** Every page of all contacts, newest first. Other lists end after their first 10,000 contacts. */
  listContacts: face({
    method: "GET",
    path: "/contacts",
    who: EVERYONE,
    query: Type.Object({
      ...FILTER,
      sort: Type.Optional(oneOf(CONTACT_ORDERS, "The order; newest when absent.")),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    answer: Type.Object({
      items: Type.Array(ContactLine),
      more: Type.Boolean({ description: "There is a next page." }),
      total: nullableCount(
        "All contacts of the list; null: they are to be counted (countContacts).",
      ),
    }),
  }),
  /**
   * How many contacts fit: up to 1,001, which means more than a thousand. With `exact`, as many as are found in
   * five seconds.
   */
  countContacts: face({
    method: "GET",
    path: "/contacts/count",
    who: EVERYONE,
    query: Type.Object({ ...FILTER, exact: Type.Optional(oneOf(["1"], "Count all.")) }),
    answer: Type.Object({
      count: nullableCount("How many; null when counting takes too long."),
      exact: Type.Boolean({ description: "False: there are more." }),
    }),
  }),
  /** The filter as one definition, search and saved segment included: what a new segment is made of. Null: all contacts. */
  readContactFilter: face({
    method: "GET",
    path: "/contacts/filter",
    who: EVERYONE,
    query: Type.Object(FILTER),
    answer: Type.Object({ definition: Type.Union([DefinitionJson, Type.Null()]) }),
  }),
  /** Always creates a contact, also when another has the same number. */
  createContact: face({
    method: "POST",
    path: "/contacts",
    who: EVERYONE,
    status: 201,
    body: Type.Object({
      name: Type.Optional(Line(200)),
      phone: Type.Optional(Line(40)),
      email: Type.Optional(Line(320)),
      notes: Type.Optional(Line(5_000)),
      tags: Type.Optional(Type.Array(Line(200), { maxItems: 100 })),
      attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
    answer: ContactFull,
  }),
  /** The id of a merged contact gives the contact it became. 404 for a deleted one. */
  readPerson: face({
    method: "GET",
    path: "/contacts/{id}",
    who: EVERYONE,
    answer: PersonJson,
  }),
  readConsent: face({
    method: "GET",
    path: "/contacts/{id}/consent",
    who: EVERYONE,
    answer: Type.Object({
      /** Newest first, at most 100. */
      items: Type.Array(ConsentLine),
      more: Type.Boolean({ description: "There are older ones." }),
    }),
  }),
  /** Opting in is for admins, and after the customer's own STOP it needs evidence: else 409 CONSENT_HELD. */
  changeConsent: face({
    method: "PUT",
    path: "/contacts/{id}/consent",
    who: EVERYONE,
    body: Type.Object({
      optedOut: Type.Boolean(),
      /** How the member knows that the customer asked for it. */
      evidence: Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...NO_NUL })),
    }),
    answer: ContactFull,
  }),
  /** Begins to forget the person. A repeated call gives the erasure that runs or ran. */
  eraseContact: face({
    method: "POST",
    path: "/contacts/{id}/erase",
    who: ADMINS,
    proven: true,
    body: Type.Object({
      /** The text that the member typed: the contact's name, or its phone, e-mail or id when it has no name. */
      confirm: Type.String({ minLength: 1, maxLength: 320, ...NO_NUL }),
    }),
    answer: ErasureProgressJson,
  }),
  /** The channel's approved templates that may begin a conversation, at most 200. */
  listFirstTemplates: face({
    method: "GET",
    path: "/contacts/{id}/templates",
    who: EVERYONE,
    query: Type.Object({ channelId: Id }),
    answer: Type.Object({ templates: Type.Array(TemplateJson) }),
  }),

  /** Changes these contacts (`ids`), or all that fit the filter, in the background. To delete them needs a fresh proof. */
  startContactJob: face({
    method: "POST",
    path: "/contacts/jobs",
    who: ADMINS,
    status: 201,
    body: Type.Object({
      ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 10_000 })),
      filter: Type.Optional(Type.Object(FILTER)),
      change: ContactChangeInput,
    }),
    answer: ContactJobJson,
  }),
  /** The defined attributes, then those that contacts have without a definition. */
  listAttributes: face({
    method: "GET",
    path: "/contact-attributes",
    who: EVERYONE,
    answer: Type.Object({ attributes: Type.Array(AttributeJson) }),
  }),
} as const;

/** All contacts, or those that fit, as CSV. Served apart, because its answer is not JSON. */
export const contactExport = face({
  method: "GET",
  heavy: true,
  path: "/contacts/export",
  who: ADMINS,
  proven: true,
  query: Type.Object(FILTER),
  answer: Nothing,
});

/** Everything that is kept of a person, as one JSON document: the right of access (docs/privacy.md). Served apart, in pieces. */
export const personExport = face({
  method: "GET",
  heavy: true,
  path: "/contacts/{id}/export",
  who: ADMINS,
  proven: true,
  answer: Nothing,
});
