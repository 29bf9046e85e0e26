import { Type, type Static, type TObject } from "typebox";
import { broadcastExample, BroadcastJson } from "./broadcast.ts";
import { contactExample, ContactJson } from "./contact.ts";
import { conversationExample, ConversationJson } from "./conversation.ts";
import { messageExample, MessageJson } from "./message.ts";
import { noteExample, NoteJson } from "./note.ts";
import { suggestionExample, SuggestionJson } from "./suggestion.ts";
import {
  AT,
  count,
  ID,
  id,
  nullableId,
  nullableOneOf,
  nullableText,
  oneOf,
  ref,
  text,
  time,
  type Shown,
} from "./schema.ts";
import {
  API_VERSION,
  BROADCAST_STATUSES,
  CHANNEL_STATUSES,
  CHANNEL_TYPES,
  HAND_OVER_REASONS,
  MEDIA_KINDS,
  OTP_STATUSES,
  OUTBOUND_STATUSES,
  RECIPIENT_STATUSES,
  RUN_OUTCOMES,
  type EventKind,
} from "./words.ts";

const occurredAt = time("When it happened.");
const moved = <const S extends string>(statuses: readonly S[]) => ({
  previousStatus: nullableOneOf(statuses, "Where it was before. Null when it is new."),
  status: oneOf(statuses, "Where it is now."),
  occurredAt,
});
const movedExample = { previousStatus: null, reason: null, occurredAt: AT };

const messageContact = Type.Object({
  id: id("The contact's id."),
  name: nullableText("The contact's name."),
  phone: nullableText("Digits with the country code, without a plus sign."),
  externalId: nullableText("The contact's id on the channel."),
});
/** The members that every event of a message has. An SMS has neither conversation nor channel. */
const messageFacts = {
  messageId: id("The message."),
  conversationId: nullableId("Its conversation."),
  contactId: nullableId("The customer."),
  channelId: nullableId("The channel."),
  channelType: nullableOneOf(CHANNEL_TYPES, "The kind of channel."),
  contact: Type.Unsafe<Static<typeof messageContact> | null>({
    type: ["object", "null"],
    description:
      "The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted.",
    properties: messageContact.properties,
    required: messageContact.required,
  }),
};
const messageFactsExample = {
  messageId: ID,
  conversationId: ID,
  contactId: ID,
  channelId: ID,
  channelType: "WHATSAPP",
  contact: { id: ID, name: "Sara Haddad", phone: "201001234567", externalId: "201001234567" },
} as const;

const botFacts = {
  conversationId: id("The conversation."),
  contactId: id("The customer."),
  channelId: id("The channel."),
  channelType: oneOf(CHANNEL_TYPES, "The kind of channel."),
  botId: id("The bot."),
};
const botFactsExample = {
  conversationId: ID,
  contactId: ID,
  channelId: ID,
  channelType: "WHATSAPP",
  botId: ID,
} as const;

const aMessage = Type.Object({ ...messageFacts, message: ref(MessageJson) });
const aConversation = Type.Object({ conversation: ref(ConversationJson) });

const by = Type.Optional(
  text(
    "Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself.",
  ),
);
const refs = Type.Optional(
  Type.Record(Type.String(), Type.String(), {
    description: "What other systems call the contact, by the name of the system.",
  }),
);
const aContact = Type.Object({
  contact: ref(ContactJson),
  refs,
  by,
});
const aNote = Type.Object({
  conversationId: id("The conversation."),
  contactId: id("The customer."),
  note: ref(NoteJson),
});
const consent = Type.Object({
  ...aContact.properties,
  source: text("Where the change was made, like `api`, `import` or the channel."),
  occurredAt,
});

/** One kind of event: when it is sent, the shape of its `data`, and an example. */
const kind = <S extends TObject>(when: string, data: S, example: Shown<S>) => ({
  when,
  data,
  example,
});

/** Every kind of event (contract §5, Webhook request). A missing kind does not compile. */
export const EVENTS = {
  "message.status": kind(
    "A message of yours moved on: `delivered`, `read`, or `failed` with its code. It moves forward only, and sends each status once. The one exception: when the platform proves that it was sent, that corrects a `failed`. `previousStatus` is null for a message that failed as it was accepted (131047).",
    Type.Object({
      ...messageFacts,
      ...moved(OUTBOUND_STATUSES),
      errorCode: nullableText("Why it failed: the platform's code, or one of ours."),
      errorMessage: nullableText("The reason in words."),
    }),
    {
      ...messageFactsExample,
      previousStatus: "sent",
      status: "failed",
      errorCode: "131026",
      errorMessage: "Message undeliverable",
      occurredAt: AT,
    },
  ),
  "message.received": kind("A customer wrote.", aMessage, {
    ...messageFactsExample,
    message: {
      ...messageExample,
      direction: "inbound",
      source: "channel",
      status: "received",
      deliveredAt: null,
      text: "Is the blue jacket back in stock?",
    },
  }),
  "message.created": kind(
    "A message of yours was accepted or went out. `source` says whether this API, a person, a campaign, a bot or the platform's own app sent it. `message` is the whole message as it was then.",
    aMessage,
    {
      ...messageFactsExample,
      message: {
        ...messageExample,
        source: "dashboard",
        status: "sent",
        providerMessageId: null,
        sentAt: null,
        deliveredAt: null,
      },
    },
  ),
  "message.updated": kind(
    "Its sender edited a message at the platform. `message` is the whole message afterwards. A shared location that moves is not sent.",
    aMessage,
    {
      ...messageFactsExample,
      message: {
        ...messageExample,
        direction: "inbound",
        source: "channel",
        status: "received",
        deliveredAt: null,
        text: "Is the green jacket back in stock?",
      },
    },
  ),
  "message.deleted": kind(
    "Its sender withdrew a message at the platform: its text and files are deleted here. Delete what you hold of it.",
    Type.Object({ ...messageFacts, occurredAt }),
    { ...messageFactsExample, occurredAt: AT },
  ),
  "media.stored": kind(
    "A file that a customer sent is here: `GET /v1/media/{id}/content` gives it. Until it is fetched from the platform, `message.received` has it as `pending`. A file from web chat is here with its message, and this event follows at once.",
    Type.Object({
      ...messageFacts,
      mediaId: id("The file."),
      kind: oneOf(MEDIA_KINDS, "What the file is."),
      mimeType: nullableText("What its bytes are, whatever the sender called them."),
      fileName: nullableText("As it was named."),
      size: count("Bytes."),
      occurredAt,
    }),
    {
      ...messageFactsExample,
      mediaId: ID,
      kind: "image",
      mimeType: "image/jpeg",
      fileName: null,
      size: 48_211,
      occurredAt: AT,
    },
  ),
  "note.created": kind(
    "A member or a program wrote a note in a conversation. Customers never see it.",
    aNote,
    { conversationId: ID, contactId: ID, note: noteExample },
  ),
  "note.updated": kind(
    "A note was changed, or moved with its conversation into another one of the customer. `note` is the whole note afterwards.",
    Type.Object({ ...aNote.properties, by }),
    {
      conversationId: ID,
      contactId: ID,
      note: { ...noteExample, editedAt: AT },
      by: `key:${ID}`,
    },
  ),
  "note.deleted": kind(
    "A note was deleted: its text is empty, and it names no member. Delete what you hold of it.",
    Type.Object({ ...aNote.properties, by }),
    {
      conversationId: ID,
      contactId: ID,
      note: { ...noteExample, text: "", deleted: true },
      by: `member:${ID}`,
    },
  ),
  "suggestion.settled": kind(
    "The outcome of a suggested reply, in `state` of `suggestion`: `used` as it is, `edited` (sent with another text) or `discarded`; `by` says who decided. With `messageId` it became that message. Who suggests another text discards the one before.",
    Type.Object({
      conversationId: id("The conversation."),
      contactId: id("The customer."),
      suggestion: ref(SuggestionJson),
      by,
    }),
    {
      conversationId: ID,
      contactId: ID,
      suggestion: { ...suggestionExample, state: "edited", settledAt: AT, messageId: ID },
      by: `member:${ID}`,
    },
  ),
  "conversation.created": kind("The first message of a contact on a channel.", aConversation, {
    conversation: conversationExample,
  }),
  "conversation.updated": kind(
    "A person changed the status, assignee, labels or unread count; another `handler` answers: a bot, a person, or no one; a customer's message opened the conversation again; or its contact was merged into another. It is not sent for every message.",
    Type.Object({ ...aConversation.properties, by }),
    {
      conversation: { ...conversationExample, status: "resolved", unreadCount: 0 },
      by: `key:${ID}`,
    },
  ),
  "contact.created": kind(
    "A contact is new: by this API, a person, an import or a first message.",
    aContact,
    { contact: contactExample, refs: { crm: "42" }, by: `key:${ID}` },
  ),
  "contact.updated": kind(
    "A contact was changed. `contact` is the whole contact afterwards.",
    aContact,
    {
      contact: { ...contactExample, tags: ["vip", "tea"] },
      refs: { crm: "42" },
      by: `member:${ID}`,
    },
  ),
  "contact.opted_out": kind(
    "Somebody wants no more campaigns. `source` says how we know: `stop_word`, `platform`, `import` and others.",
    consent,
    {
      contact: { ...contactExample, optedOut: true, optedOutAt: AT },
      refs: { crm: "42" },
      source: "stop_word",
      occurredAt: AT,
    },
  ),
  "contact.opted_in": kind(
    "Somebody wants campaigns again. `source` is as in `contact.opted_out`.",
    consent,
    { contact: contactExample, refs: {}, source: "stop_word", occurredAt: AT },
  ),
  "contact.merged": kind(
    "Two contacts became one. `mergedId` no longer exists: it answers as `contactId`. `contact.updated` follows with the whole contact.",
    Type.Object({
      contactId: id("The contact that was kept."),
      mergedId: id("The contact that became part of it."),
      occurredAt,
      by,
    }),
    { contactId: ID, mergedId: ID, occurredAt: AT, by: `member:${ID}` },
  ),
  "contact.deleted": kind(
    "A contact was deleted. `erased`: on the person's wish, so delete what you hold about this person too. Otherwise the record alone is deleted, as by a job, and its conversations stay.",
    Type.Object({
      contactId: id("The contact."),
      erased: Type.Boolean({
        description:
          "True when the person is forgotten, with messages and history. False for a deleted record, whose conversations and messages stay.",
      }),
      occurredAt,
      by,
    }),
    { contactId: ID, erased: true, occurredAt: AT, by: `key:${ID}` },
  ),
  "broadcast.status": kind(
    "A campaign was made or moved to another state. `reason` is there when it was paused or failed automatically.",
    Type.Object({
      ...moved(BROADCAST_STATUSES),
      reason: nullableText("Why it paused or failed automatically."),
      broadcast: ref(BroadcastJson),
    }),
    { ...movedExample, previousStatus: "QUEUED", status: "RUNNING", broadcast: broadcastExample },
  ),
  // These are the platform's own words, and it may add new ones.
  "broadcast.recipient": kind(
    "One recipient of a campaign moved on. An endpoint gets it only when it names this kind, and it is stored only while one does: a large campaign has two or three for each contact. `skipped` has no message. `pending` after `failed`: a person had it sent again.",
    Type.Object({
      broadcastId: id("The campaign."),
      ...moved(RECIPIENT_STATUSES),
      recipient: Type.Object(
        {
          contactId: id("The contact."),
          messageId: nullableId("The message; null where there is none."),
          reason: nullableText("Why the contact was skipped, or the code of what failed."),
          detail: nullableText("The reason in the platform's words."),
        },
        { description: "The recipient." },
      ),
    }),
    {
      broadcastId: ID,
      previousStatus: "sent",
      status: "delivered",
      recipient: { contactId: ID, messageId: ID, reason: null, detail: null },
      occurredAt: AT,
    },
  ),
  "template.status": kind(
    "The platform approved, refused, paused or removed a template.",
    Type.Object({
      previousStatus: nullableText("What the platform said before."),
      status: text("What the platform says now, like APPROVED, PAUSED or REJECTED."),
      occurredAt,
      templateId: id("The template."),
      channelId: id("Its channel."),
      metaId: text("Its id at the platform."),
      name: text("Its name."),
      language: text("A language code."),
      reason: nullableText("The platform's reason."),
    }),
    {
      ...movedExample,
      templateId: ID,
      channelId: ID,
      metaId: "594425479261598",
      name: "order_update",
      language: "ar",
      previousStatus: "PENDING",
      status: "APPROVED",
    },
  ),
  "channel.status": kind(
    "A channel was connected, was disconnected, or turned to `error`. `reason` says why.",
    Type.Object({
      ...moved(CHANNEL_STATUSES),
      channelId: id("The channel."),
      channelType: oneOf(CHANNEL_TYPES, "Its kind."),
      name: text("Its name."),
      reason: nullableText("Why it is in error."),
    }),
    {
      ...movedExample,
      channelId: ID,
      channelType: "WHATSAPP",
      name: "Shop",
      previousStatus: "connected",
      status: "error",
      reason: "190: the access token has expired",
    },
  ),
  "otp.status": kind(
    "A passcode was `sent`, `delivered` or `failed`, or its outcome is `unknown`. The event never holds its text.",
    Type.Object({
      ...moved(OTP_STATUSES),
      requestId: id("`requestId` of the send."),
      provider: text("The SMS provider."),
      errorCode: nullableText("As `errorCode` of SmsResult."),
      error: nullableText("The gateway's own words."),
    }),
    {
      requestId: ID,
      provider: "twilio",
      previousStatus: "sent",
      status: "delivered",
      errorCode: null,
      error: null,
      occurredAt: AT,
    },
  ),
  "usage.threshold": kind(
    "80 or 100 % of the month's messages, or of its AI replies, are used. Each is sent once a month.",
    Type.Object({
      meter: Type.Optional(oneOf(["messages", "aiReplies"], "What is counted.")),
      percent: Type.Unsafe<80 | 100>({
        type: "integer",
        enum: [80, 100],
        description: "How much of the month's allowance is used.",
      }),
      limit: count("What the plan allows."),
      usage: count("What is used at this moment."),
      periodStart: time("The first moment of the month."),
      periodEnd: time("The first moment of the next month."),
    }),
    { meter: "messages", percent: 80, limit: 500, usage: 400, periodStart: AT, periodEnd: AT },
  ),
  "bot.handed_over": kind(
    "A bot gave a conversation to people. `reason` says why, `collected` what it asked for and got.",
    Type.Object({
      ...botFacts,
      reason: oneOf(HAND_OVER_REASONS, "Why."),
      summary: nullableText("What the talk was about, in the bot's words."),
      collected: Type.Record(Type.String(), Type.Unknown(), {
        description: "What the bot collected, by name.",
      }),
      occurredAt,
    }),
    {
      ...botFactsExample,
      reason: "asked",
      summary: "Asks for a refund of order 1042.",
      collected: { order: "1042" },
      occurredAt: AT,
    },
  ),
  "bot.finished": kind(
    "The work of a bot in a conversation ended. `outcome`: `resolved` without a person, `assisted` when a person stepped in, `handed_over`, or `abandoned`.",
    Type.Object({
      ...botFacts,
      version: count("The version of the bot."),
      outcome: oneOf(RUN_OUTCOMES, "How it ended."),
      topic: nullableText("What the talk was about, of the bot's own list."),
      turns: count("Answers that the customer got."),
      occurredAt,
    }),
    {
      ...botFactsExample,
      version: 3,
      outcome: "resolved",
      topic: "delivery",
      turns: 2,
      occurredAt: AT,
    },
  ),
  "webhook.disabled": kind(
    "A webhook endpoint was disabled: by hand, or because its attempts failed. The other endpoints get it; its own events are held for 30 days.",
    Type.Object({
      endpointId: id("The endpoint."),
      name: nullableText("Its name."),
      url: text("Its address, with what could be a token in it shortened."),
      disabledBy: oneOf(
        ["hand", "failures"],
        "A person or a program, or attempts that failed in a row.",
      ),
      occurredAt,
    }),
    {
      endpointId: ID,
      name: "orders",
      url: "https://shop.example.com/webhooks/parley",
      disabledBy: "failures",
      occurredAt: AT,
    },
  ),
  "endpoint.test": kind(
    "A person tested an endpoint. The event goes to that endpoint alone, whatever kinds it asked for.",
    Type.Object({ endpointId: id("The endpoint that was tested."), occurredAt }),
    { endpointId: ID, occurredAt: AT },
  ),
} satisfies Record<EventKind, { readonly data: TObject }>;

/** The `data` of each kind. */
export type EventData = { readonly [K in EventKind]: Shown<(typeof EVENTS)[K]["data"]> };

/** The body of every delivery. */
export const EventJson = Type.Object(
  {
    id: id("The event's id. It is the same in every retry, and is in the header `webhook-id`."),
    type: text("The kind, like `message.status`. It says what `data` holds."),
    apiVersion: text("The version of this document."),
    createdAt: time("When the event was stored."),
    workspaceId: id("The workspace."),
    sequence: Type.Integer({
      minimum: 1,
      description:
        "Rises by one with each event of the workspace, so that a receiver notices a gap.",
    }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: "Its members depend on the kind.",
    }),
  },
  { $id: "Event", description: "The body of a webhook and an item of the feed." },
);
/**
 * The schema leaves `data` open, because the document lists the kinds one by one. This type says what each kind holds.
 */
export type EventJson = {
  [K in EventKind]: Omit<Shown<typeof EventJson>, "type" | "data"> & {
    readonly type: K;
    readonly data: EventData[K];
  };
}[EventKind];

export const EventPageJson = Type.Object(
  {
    items: Type.Array(ref(EventJson), { description: "In the order of their sequence." }),
    nextAfter: Type.Integer({
      description:
        "Give it as `after` to read on, now or later. With `types` it may be higher than the last item's sequence.",
    }),
    hasMore: Type.Boolean({ description: "Whether there is more to read now." }),
    oldestSequence: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description: "The oldest event that is kept. Events are kept for 30 days.",
    }),
    gap: Type.Boolean({
      description:
        "True when events after `after` are no longer kept, or when `after` was never given out. The page then does not continue from there.",
    }),
  },
  { $id: "EventPage", description: "A piece of the feed." },
);

/** A whole body of a kind. */
export const eventExample = (type: EventKind) => ({
  id: ID,
  type,
  apiVersion: API_VERSION,
  createdAt: AT,
  workspaceId: ID,
  sequence: 18_231,
  data: EVENTS[type].example,
});
export const eventPageExample: Shown<typeof EventPageJson> = {
  items: [eventExample("message.status")],
  nextAfter: 18_231,
  hasMore: false,
  oldestSequence: 1,
  gap: false,
};
