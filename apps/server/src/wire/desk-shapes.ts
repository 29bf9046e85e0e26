import { LabelJson } from "./label.ts";
import { Type } from "typebox";
import { MEDIA_KINDS } from "./words.ts";
import { attachments } from "./attachment.ts";
import { SuggestionJson } from "./suggestion.ts";
import {
  AT,
  count,
  ID,
  id,
  nullableId,
  nullableOneOf,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
  NO_NUL,
} from "./schema.ts";
import {
  CHANNEL_STATUSES,
  CHANNEL_TYPES,
  CONTACT_ORDERS,
  CONVERSATION_STATUSES,
  DESK_VIEWS,
  HAND_OVER_REASONS,
  HANDLERS,
  MESSAGE_SOURCES,
  OUTBOUND_STATUSES,
  VIEW_BOUNDS,
  WORKSPACE_KINDS,
  type HandOverReason,
} from "./words.ts";

/** The shapes of the inbox: what a list shows of a conversation, and what a thread shows. */

export type DeskView = (typeof DESK_VIEWS)[number];

/**
 * - newest, oldest: by the last thing that a customer or a person did (`deskAt`)
 * - waiting: the longest wait for an answer first
 */
export const DESK_ORDERS = ["newest", "oldest", "waiting"] as const;
export type DeskOrder = (typeof DESK_ORDERS)[number];

/** The author of the message that a row previews. */
const PREVIEW_SIDES = ["customer", "us", "note"] as const;

/** What the list shows of a conversation. It is the same for every member; `Mine` has the member's own part. */
export const DeskRow = Type.Object({
  id: id("The conversation."),
  contactId: id("The customer."),
  /** The name to show: the contact's name, else its phone with a plus, its user name or its id on the channel. */
  name: text("Never empty."),
  /** False when `name` is a number or id in place of a name. */
  named: Type.Boolean(),
  /** The number with its plus, user name or address on the channel, as a person reads it; empty when there is none. */
  address: text("For the head of the thread."),
  channelId: id("The channel."),
  channelType: oneOf(CHANNEL_TYPES, "Its kind."),
  status: oneOf(CONVERSATION_STATUSES, "Open, snoozed or resolved."),
  assigneeId: nullableId("The member it is assigned to."),
  labels: Type.Array(Type.String()),
  preview: text("At most 140 characters. Empty for a file without a text."),
  previewKind: text("The type of that message: text, image, document, template, note …"),
  previewSide: oneOf(PREVIEW_SIDES, "Who wrote it."),
  previewBy: nullableText(
    "The member who wrote it, by id, or where a program's message was written (`api`, `bot` …). Null: the customer, or not known.",
  ),
  lastInboundId: nullableId("The customer's last message."),
  lastOutboundId: nullableId("Our last message, whoever wrote it."),
  inboundCount: count(
    "The customer's messages so far. Unread for a member: this less what they have seen or a person has answered.",
  ),
  answeredCount: count("The customer's messages when a person last answered."),
  deskAt: time("When a customer or a person last did something. Orders the list."),
  waitingSince: nullableTime("Since when the customer waits for an answer. Null: answered."),
  snoozedUntil: nullableTime("When the snooze ends."),
  windowExpiresAt: nullableTime("Until when a free reply may go out."),
  hasWindow: Type.Boolean({ description: "Whether its channel has a reply window at all." }),
  failed: Type.Boolean({ description: "Our last message was not delivered." }),
  handler: oneOf(HANDLERS, "Who answers."),
  botId: nullableId("The bot that answers, or that answered last."),
  handedReason: Type.Unsafe<HandOverReason | null>({
    type: ["string", "null"],
    enum: [...HAND_OVER_REASONS, null],
    description: "Why its bot handed it over. Null: it did not, or it was resolved since.",
  }),
  change: Type.Integer({ description: "Rises with each change in the workspace's inbox." }),
});
export type DeskRow = Shown<typeof DeskRow>;
export const deskRowExample: DeskRow = {
  id: ID,
  contactId: ID,
  name: "Sara Haddad",
  named: true,
  address: "+201001234567",
  channelId: ID,
  channelType: "WHATSAPP",
  status: "open",
  assigneeId: null,
  labels: ["orders"],
  preview: "Where is my order?",
  previewKind: "text",
  previewSide: "customer",
  previewBy: null,
  lastInboundId: ID,
  lastOutboundId: null,
  inboundCount: 1,
  answeredCount: 0,
  deskAt: AT,
  waitingSince: AT,
  snoozedUntil: null,
  windowExpiresAt: AT,
  hasWindow: true,
  failed: false,
  handler: "nobody",
  botId: null,
  handedReason: null,
  change: 1,
};

/** The part of a conversation that belongs to one member. */
export const MineOf = Type.Object({
  conversationId: id("The conversation."),
  seen: count("How many of the customer's messages this member has seen."),
  keptUnread: Type.Boolean({
    description: "The member marked it unread after a person had answered.",
  }),
  mentioned: Type.Boolean({ description: "A note names the member, who has not opened it since." }),
  /** The beginning of the member's draft; null: none. */
  draft: nullableText("At most 140 characters."),
});
export type MineOf = Shown<typeof MineOf>;

export const DeskPage = Type.Object({
  rows: Type.Array(DeskRow),
  /** For the rows of this page that have a part of the member's own. */
  mine: Type.Array(MineOf),
  nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
  /** The desk number up to which the page is current: give it as `after` to the stream. */
  change: Type.Integer(),
});
export type DeskPage = Shown<typeof DeskPage>;

/** How many conversations each view has: at most 1,000, which is shown as 999+. By view, as in the page's address. */
export const DeskCounts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }));
export type DeskCounts = Shown<typeof DeskCounts>;

const NOTICE_KINDS = [
  "mention",
  "assigned",
  "handed_over",
  "import",
  "export",
  "campaign",
  "system",
  "change",
] as const;

/** A message that a customer chose to answer. */
export const QuotedEntry = Type.Object({
  id: id("The quoted message."),
  direction: oneOf(["inbound", "outbound"], "Customer or workspace."),
  source: oneOf(MESSAGE_SOURCES, "Where it was written."),
  authorId: nullableId("The member who wrote it."),
  text: nullableText("Its first 200 characters."),
  type: nullableText("The type of its file or other content; null: it is text alone."),
});
export type QuotedEntry = Shown<typeof QuotedEntry>;

/**
 * One line of a thread, oldest first by `at`, then `id`. `message`: a message of either side. `note`: written by a
 * member for members. `event`: what somebody did with the conversation.
 */
export const MessageEntry = Type.Object({
  kind: Type.Literal("message"),
  id: id("The message's id. Of one that this browser sent: see `clientId`."),
  at: time("When it was stored."),
  direction: oneOf(["inbound", "outbound"], "Customer or workspace."),
  type: text("As in the API."),
  text: nullableText("What can be shown."),
  attachments,
  /** `queued`: it waits in the outbox. */
  status: oneOf(["received", "queued", ...OUTBOUND_STATUSES], "Where it is."),
  errorCode: nullableText("The platform's code, or ours."),
  errorMessage: nullableText("The reason in words."),
  source: oneOf(MESSAGE_SOURCES, "Where it was written."),
  authorId: nullableId("The member who wrote it."),
  /** The name of the bot or campaign that wrote it; null when a member did. */
  authorName: nullableText("For the line above the bubble."),
  byAi: Type.Boolean({ description: "A model wrote it, or a part of it." }),
  turnId: nullableId(
    "The turn of the model that wrote it (`readTurn`). Null: none, or it is not kept any more.",
  ),
  clientId: nullableId("The id that the writer's browser gave it."),
  resendOf: nullableId("The failed message that this one repeats."),
  broadcastId: nullableId("The campaign."),
  sentAt: nullableTime("When the platform took it."),
  deliveredAt: nullableTime("When it arrived."),
  readAt: nullableTime("When it was read."),
  /** The message that it answers; null: none, or one that is not known here. */
  quoted: Type.Union([QuotedEntry, Type.Null()]),
});
export type MessageEntry = Shown<typeof MessageEntry>;

export const NoteEntry = Type.Object({
  kind: Type.Literal("note"),
  id: id("The note."),
  at: time("When it was written."),
  authorId: nullableId("The member. Null: a program or the command line."),
  authorName: nullableText("The name of a program."),
  text: text("Empty once it is deleted."),
  mentions: Type.Array(Type.String(), { description: "Ids of the members it names." }),
  editedAt: nullableTime("Null: never."),
  deleted: Type.Boolean(),
});
export type NoteEntry = Shown<typeof NoteEntry>;

const THREAD_EVENTS = [
  "bot_began",
  "bot_handed_over",
  "taken_over",
  "given_back",
  "assigned",
  "labelled",
  "resolved",
  "reopened",
  "snoozed",
  "snooze_ended",
  "joined",
] as const;
export const EventEntry = Type.Object({
  kind: Type.Literal("event"),
  id: id("The entry."),
  at: time("When it was done."),
  what: oneOf(THREAD_EVENTS, "What was done."),
  /** The actor as the audit names it: member:<id>, key:<id>, bot:<id>, cli, system. */
  by: text("Who did it."),
  assigneeId: nullableId(
    "Of `assigned`: the new assignee; null: none. Of `joined`: who no longer has the joined one.",
  ),
  added: Type.Array(Type.String()),
  removed: Type.Array(Type.String()),
  until: nullableTime("Of `snoozed`: until when."),
  byName: nullableText("The name of the bot that did it. Null: no bot did."),
  reason: Type.Unsafe<HandOverReason | null>({
    type: ["string", "null"],
    enum: [...HAND_OVER_REASONS, null],
    description: "Of `bot_handed_over`.",
  }),
});
export type EventEntry = Shown<typeof EventEntry>;

export const ThreadEntry = Type.Union([MessageEntry, NoteEntry, EventEntry]);
export type ThreadEntry = Shown<typeof ThreadEntry>;

export const ThreadPage = Type.Object({
  /** Oldest first. */
  entries: Type.Array(ThreadEntry),
  /** Whether older ones exist: read on with `before` = the first entry's id. */
  more: Type.Boolean(),
  /** The open suggestions, newest first. A page of older entries has none. */
  suggestions: Type.Optional(Type.Array(SuggestionJson, { maxItems: 20 })),
});
export type ThreadPage = Shown<typeof ThreadPage>;

/** The customer, as the pane beside the thread shows them. */
export const ContactCard = Type.Object({
  id: id("The contact."),
  name: nullableText("As it is stored."),
  phone: nullableText("E.164."),
  email: nullableText("Its address."),
  language: nullableText("ISO 639-1."),
  country: nullableText("ISO 3166-1."),
  tags: Type.Array(Type.String()),
  attributes: Type.Record(Type.String(), Type.Unknown()),
  optedOut: Type.Boolean(),
  optedOutAt: nullableTime("When."),
  lastSeenAt: nullableTime("When they last wrote."),
  createdAt: time("When the contact was made."),
});
export type ContactCard = Shown<typeof ContactCard>;

/** One line of the contact's history on all channels. */
export const AcrossLine = Type.Object({
  kind: oneOf(["conversation", "campaign", "consent"], "What the line is of."),
  id: id("The conversation, campaign or entry."),
  at: time("When."),
  channelType: nullableOneOf(CHANNEL_TYPES, "Of a conversation or campaign."),
  /** A conversation's preview, a campaign's name, or opted_in / opted_out. */
  text: text("What is shown."),
});
export type AcrossLine = Shown<typeof AcrossLine>;

/** Everything that a thread's page needs, in one answer. */
export const OpenedConversation = Type.Object({
  row: DeskRow,
  mine: MineOf,
  thread: ThreadPage,
  contact: ContactCard,
  /** The member's draft; null: none. */
  draft: Type.Unsafe<{ mode: "reply" | "note"; text: string; media: readonly string[] } | null>({}),
  /**
   * What the channel accepts: files, their number and size in bytes; whether customers can be written to by
   * template.
   */
  rules: Type.Object({
    maxText: count("Characters of a reply."),
    files: Type.Array(
      Type.Object({
        kind: oneOf(MEDIA_KINDS, "The kind as which it is sent."),
        mimeTypes: Type.Array(
          Type.String({ description: "`image/png`, `image/*` or `*` + `/*`." }),
        ),
        maxBytes: count("The largest file."),
      }),
      { description: "The files that the channel takes; none when empty." },
    ),
    templates: Type.Boolean({
      description: "A template may be sent, also when the window is closed.",
    }),
    sandbox: Type.Boolean({ description: "The channel talks to an emulator." }),
    quotes: oneOf(["all", "texts", "nothing"], "What may quote an earlier message."),
  }),
});
export type OpenedConversation = Shown<typeof OpenedConversation>;

export const SavedReplyJson = Type.Object({
  id: id("The saved reply."),
  shortcut: text("What is typed after `/`."),
  title: text("What the list shows."),
  text: text("What is inserted. `{{contact.name}}` and `{{agent.name}}` are filled."),
  media: Type.Array(Type.String({ description: "A file that goes along." })),
  shared: Type.Boolean({ description: "Everybody's; otherwise the member's own." }),
  etag: text("This version: a change takes it as `If-Match`."),
});
export const SavedFileJson = Type.Object({
  id: id("The file."),
  fileName: nullableText("As it was named."),
});
export type SavedReplyJson = Shown<typeof SavedReplyJson>;

const ViewValues = Type.Array(Type.String({ maxLength: VIEW_BOUNDS.length, ...NO_NUL }), {
  maxItems: VIEW_BOUNDS.values,
});

/** One condition of a member's own view. */
export const ViewRule = Type.Union([
  Type.Object({
    field: Type.Literal("status"),
    any: Type.Array(oneOf(CONVERSATION_STATUSES, ""), { maxItems: VIEW_BOUNDS.values }),
  }),
  Type.Object({ field: Type.Literal("channel"), any: ViewValues }),
  Type.Object({ field: Type.Literal("label"), any: ViewValues }),
  /** Member ids, `me` and `nobody`. */
  Type.Object({ field: Type.Literal("assignee"), any: ViewValues }),
  Type.Object({ field: Type.Literal("unanswered"), is: Type.Boolean() }),
  Type.Object({ field: Type.Literal("failed"), is: Type.Boolean() }),
  /** Judged by the messages that the viewing member has not seen. */
  Type.Object({ field: Type.Literal("unread"), is: Type.Boolean() }),
  /** The customer has waited for an answer longer than this many minutes. */
  Type.Object({
    field: Type.Literal("waiting"),
    minutes: Type.Integer({ minimum: 1, maximum: 525_600 }),
  }),
]);
export type ViewRule = Shown<typeof ViewRule>;

/** The rules of one view: a conversation fits when in every group at least one rule fits. */
export const ViewFilter = Type.Object({
  all: Type.Array(Type.Array(ViewRule, { maxItems: VIEW_BOUNDS.rules }), {
    maxItems: VIEW_BOUNDS.groups,
  }),
});
export type ViewFilter = Shown<typeof ViewFilter>;

export const DeskViewJson = Type.Object({
  id: id("The view."),
  name: text("Its name."),
  filter: ViewFilter,
  shared: Type.Boolean(),
  etag: text("This version: a change takes it as `If-Match`."),
});
export type DeskViewJson = Shown<typeof DeskViewJson>;

export const MemberJson = Type.Object({
  id: id("The member."),
  name: text("Shown."),
  email: text("Its address."),
  role: oneOf(["owner", "admin", "agent"], "Its role."),
  disabled: Type.Boolean(),
  availability: oneOf(["online", "away"], "As the member set it."),
});
export type MemberJson = Shown<typeof MemberJson>;

export const ChannelBrief = Type.Object({
  id: id("The channel."),
  type: oneOf(CHANNEL_TYPES, "Its kind."),
  name: text("Shown."),
  status: oneOf(CHANNEL_STATUSES, "Whether it can send."),
  sandbox: Type.Boolean(),
});
export type ChannelBrief = Shown<typeof ChannelBrief>;

/** A member's own settings of the interface. */
export const MemberSettings = Type.Object({
  locale: nullableOneOf(["en", "ar"], "Null: the browser's."),
  theme: nullableOneOf(["light", "dark"], "Null: the system's."),
  /** `enter`: Enter sends and Shift Enter breaks the line. `mod-enter`: ⌘ or Ctrl Enter sends. */
  sendKey: oneOf(["enter", "mod-enter"], "How a message is sent."),
  sound: oneOf(["mine", "mine-and-unassigned", "all", "off"], "Which messages ring."),
  keys: Type.Boolean({ description: "Single-key shortcuts are on." }),
  density: oneOf(["comfortable", "compact"], "The height of a row."),
  nextAfterResolve: Type.Boolean({ description: "The next conversation opens after Resolve." }),
  tabTakesSuggestion: Type.Boolean({
    description: "Tab in an empty reply puts the suggested one into it.",
  }),
  /** `phone`, `attribute.city` …: shown after the name. */
  contactColumns: Type.Union([
    Type.Array(Type.String({ maxLength: 210, ...NO_NUL }), { maxItems: 60 }),
    Type.Null(),
  ]),
  contactSort: oneOf(CONTACT_ORDERS, "The order of contacts."),
});
export type MemberSettings = Shown<typeof MemberSettings>;

/** What every page needs once: who is signed in, and the workspace's lists. */
export const Bootstrap = Type.Object({
  member: MemberJson,
  settings: MemberSettings,
  workspace: Type.Object({
    id: id("The workspace."),
    name: text("Its name."),
    kind: oneOf(WORKSPACE_KINDS, "A test workspace reaches the sandbox only."),
    timeZone: text("IANA."),
    country: nullableText("ISO 3166-1."),
    locale: nullableOneOf(["en", "ar"], "Of members who chose none. Null: the browser's."),
  }),
  members: Type.Array(MemberJson),
  channels: Type.Array(ChannelBrief),
  labels: Type.Array(LabelJson),
  views: Type.Array(DeskViewJson),
  savedReplies: Type.Array(SavedReplyJson),
  bots: Type.Array(Type.Object({ id: id("The bot."), name: text("Its name.") }), {
    description:
      "All of them, so that a conversation names its bot. Empty: nothing of bots is shown in the inbox.",
  }),
  unreadNotices: count("The member's notifications that they have not read."),
  /** The present desk number: the stream begins there. */
  change: Type.Integer(),
  /** The server's clock, for countdowns on a machine whose clock is wrong. */
  now: time("Now."),
});
export type Bootstrap = Shown<typeof Bootstrap>;

export const MemberNotice = Type.Object({
  id: id("The notice."),
  kind: oneOf(NOTICE_KINDS, "What it is about."),
  subject: text("One line."),
  body: text("The rest; may be empty."),
  ref: nullableText("Where it leads: a path of the dashboard."),
  /** The result of work that ended; subject and body are empty then. */
  facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  at: time("When."),
  read: Type.Boolean(),
});
export type MemberNotice = Shown<typeof MemberNotice>;
