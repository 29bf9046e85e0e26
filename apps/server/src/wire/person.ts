import { Type } from "typebox";
import { contactExample, ContactJson } from "./contact.ts";
import {
  AT,
  count,
  freeForm,
  ID,
  id,
  nullableText,
  nullableTime,
  oneOf,
  ref,
  text,
  time,
  type Shown,
} from "./schema.ts";
import { CONVERSATION_STATUSES } from "./words.ts";

const NEXT = "Give it as `cursor` to read on. Null at the end.";

/** A page of what happened to a person. */
export const ContactTimelineJson = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        at: time("When."),
        kind: text("What happened: `created`, `message`, `opted_out`, `changed`, `campaign` …"),
        facts: Type.Unsafe<Readonly<Record<string, unknown>>>({
          ...freeForm,
          description: "What is known of it; its members depend on the kind.",
        }),
      }),
      { description: "Newest first." },
    ),
    nextCursor: nullableText(NEXT),
  },
  { $id: "ContactTimeline", description: "Read on with `cursor` until `nextCursor` is null." },
);

/** Who a contact is on each channel, in other systems, and before it was merged. */
export const ContactIdentitiesJson = Type.Object(
  {
    contactId: id("The contact, as it is known now."),
    identities: Type.Array(
      Type.Object({
        channelId: id("The channel."),
        externalId: text("How the channel knows the person."),
        isNumber: Type.Boolean({ description: "It is a phone number." }),
        since: time("Since when."),
        retiredAt: nullableTime("The person has another one since then."),
      }),
      { description: "What channels call the person." },
    ),
    refs: Type.Record(Type.String(), Type.String(), {
      description: "What other systems call the contact, by the name of the system.",
    }),
    merged: Type.Array(
      Type.Object({
        id: id("The id it had. It still leads to the contact."),
        name: nullableText("As it was."),
        mergedAt: time("When."),
      }),
      { description: "Contacts that were merged into this one." },
    ),
    alike: Type.Array(ref(ContactJson), {
      description: "Other contacts with the same number or e-mail address, ten at most.",
    }),
    conversations: Type.Array(
      Type.Object({
        id: id("The conversation."),
        channelId: id("Its channel."),
        channelType: text("The kind of channel."),
        status: oneOf(CONVERSATION_STATUSES, "Its state."),
        lastMessageAt: nullableTime("When its last message was made."),
      }),
      { description: "Oldest first." },
    ),
  },
  { $id: "ContactIdentities", description: "Every name by which a person is known." },
);
export type ContactIdentitiesJson = Shown<typeof ContactIdentitiesJson>;

export const MergePreviewJson = Type.Object(
  { kept: ref(ContactJson), merged: ref(ContactJson), result: ref(ContactJson) },
  { $id: "MergePreview", description: "Two contacts, and what a merge would make of them." },
);
export type MergePreviewJson = Shown<typeof MergePreviewJson>;

export const DuplicatePageJson = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        address: text("What they share."),
        count: count("How many share it."),
        contacts: Type.Array(ref(ContactJson), {
          description: "The first fifty, oldest first. The oldest is the one to keep.",
        }),
      }),
      { description: "In the order of what they share." },
    ),
    nextCursor: nullableText(`${NEXT} A page may be empty without being the last.`),
  },
  { $id: "DuplicatePage", description: "Contacts that share a number, an address or an id." },
);

const listOf = (description: string) => Type.Array(freeForm, { description });

/** Everything that is stored of one person (docs/privacy.md, Export of one person). */
export const PersonDocumentJson = Type.Object(
  {
    exportedAt: time("When it was begun."),
    workspaceId: id("The workspace."),
    contactId: id("The contact, as it is known now."),
    contact: Type.Unsafe<ContactJson | null>({
      type: ["object", "null"],
      description: "The contact with its attributes, as `GET /v1/contacts/{id}` shows it.",
    }),
    merged: listOf("Contacts that were merged into it, as they were."),
    identities: listOf("What channels call the person."),
    refs: listOf("What other systems call the person: `system` and `value`."),
    consent: listOf("Every change of the consent, oldest first."),
    chatProfiles: listOf("What pages said of a visitor of web chat."),
    campaigns: listOf("Campaigns that the person was in: the values that were sent, the outcome."),
    unansweredQuestions: listOf("What the person asked a bot that it could not answer."),
    botCases: listOf("Tests of bots that were made of such questions."),
    changes: listOf("Changes of the contact, newest first, for a year."),
    conversations: listOf(
      "Each conversation with `messages` and their `files`, `notes`, `drafts`, `suggestions` and `aiTurns`.",
    ),
    messagesWithoutConversation: listOf("SMS of campaigns."),
    passcodes: listOf("Numbers and times of passcodes; no text is kept."),
    refusedImportRows: listOf("Rows of imports that name the person and were refused."),
    audit: listOf("Entries of the audit about the contact and its conversations."),
    events: listOf("Events that name the person: kind, time and how many endpoints received it."),
  },
  { $id: "PersonDocument", description: "Everything that is stored of one person." },
);

export const personDocumentExample: Shown<typeof PersonDocumentJson> = {
  exportedAt: AT,
  workspaceId: ID,
  contactId: ID,
  contact: contactExample,
  merged: [],
  identities: [],
  refs: [{ system: "crm", value: "42" }],
  consent: [],
  chatProfiles: [],
  campaigns: [],
  unansweredQuestions: [],
  botCases: [],
  changes: [],
  conversations: [],
  messagesWithoutConversation: [],
  passcodes: [],
  refusedImportRows: [],
  audit: [],
  events: [],
};

export const identitiesExample: ContactIdentitiesJson = {
  contactId: ID,
  identities: [],
  refs: { crm: "42" },
  merged: [],
  alike: [],
  conversations: [],
};
const other = { ...contactExample, tags: ["tea"], attributes: {} };
export const mergePreviewExample: MergePreviewJson = {
  kept: contactExample,
  merged: other,
  result: { ...contactExample, tags: ["vip", "tea"] },
};
