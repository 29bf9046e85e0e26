import { Type, type TSchema } from "typebox";
import { NO_NUL, oneOf, text } from "../../../wire/schema.ts";
import { CHANNEL_TYPES, CONVERSATION_STATUSES } from "../../../wire/words.ts";
import {
  Bootstrap,
  DESK_ORDERS,
  DeskCounts,
  DeskPage,
  DeskViewJson,
  MemberNotice,
  MemberSettings,
  OpenedConversation,
  SavedFileJson,
  SavedReplyJson,
  ThreadPage,
  ViewFilter,
  MessageEntry,
  ContactCard,
  DeskRow,
  MineOf,
} from "../../../wire/desk-shapes.ts";
import { EVERYONE, face } from "./face.ts";
import { Moment } from "./moment.ts";
import { Id, Nothing } from "./inputs.ts";

const Words = Type.String({ minLength: 1, maxLength: 4096, ...NO_NUL });
const Short = Type.String({ minLength: 1, maxLength: 80, ...NO_NUL });
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100 }));
const Cursor = Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...NO_NUL }));
const View = Type.String({ minLength: 1, maxLength: 500, ...NO_NUL });
/** What happens to a conversation in the step that sends a reply. */
const Afterwards = Type.Union([
  Type.Object({ status: Type.Literal("resolved") }),
  Type.Object({ status: Type.Literal("snoozed"), until: Moment }),
]);
/** The conversations that a change is for: these, or all of a view. Over 200 at once is for admins. */
const Which = Type.Object({
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 200 })),
  view: Type.Optional(View),
  unread: Type.Optional(Type.Boolean()),
});

/** One part of a search: a page of what was found. */
const found = <const Item extends TSchema>(item: Item) =>
  Type.Object({
    items: Type.Array(item),
    /** There are at least this many; counted to 1,000. */
    total: Type.Integer(),
    /** Whether `total` is exact: frequent texts are not counted. */
    exact: Type.Boolean(),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
  });

/** What is typed after `/`. */
const Shortcut = Type.String({ pattern: "^[\\p{L}\\p{N}_-]{1,40}$", maxLength: 40 });

export const inbox = {
  bootstrap: face({ method: "GET", path: "/bootstrap", who: EVERYONE, answer: Bootstrap }),

  listConversations: face({
    method: "GET",
    path: "/conversations",
    who: EVERYONE,
    query: Type.Object({
      view: View,
      sort: Type.Optional(oneOf(DESK_ORDERS, "The order; newest when absent.")),
      /** `1`: only those with messages that this member has not seen. */
      unread: Type.Optional(oneOf(["1"], "Only unread ones.")),
      cursor: Cursor,
      limit: Limit,
    }),
    answer: DeskPage,
  }),
  countViews: face({ method: "GET", path: "/counts", who: EVERYONE, answer: DeskCounts }),

  openConversation: face({
    method: "GET",
    path: "/conversations/{id}",
    who: EVERYONE,
    answer: OpenedConversation,
  }),
  readThread: face({
    method: "GET",
    path: "/conversations/{id}/thread",
    who: EVERYONE,
    query: Type.Object({
      /** Entries older than this one. */
      before: Cursor,
      /** Entries newer than this one, and older ones named in `again` that changed. */
      after: Cursor,
      /**
       * Up to 50 ids, separated by commas: messages whose state the page still waits for, and notes that may have
       * changed.
       */
      again: Type.Optional(Type.String({ maxLength: 2000, ...NO_NUL })),
      limit: Limit,
    }),
    answer: ThreadPage,
  }),

  /** `Idempotency-Key` is the message's client id, the same on each retry. */
  sendReply: face({
    method: "POST",
    path: "/conversations/{id}/replies",
    who: EVERYONE,
    status: 201,
    body: Type.Object({
      clientId: Id,
      text: Type.Optional(Words),
      media: Type.Optional(Type.Array(Id, { maxItems: 10 })),
      /** The message of the conversation that it quotes, where `rules.quotes` allows it. */
      replyTo: Type.Optional(Id),
      resendOf: Type.Optional(Id),
      afterwards: Type.Optional(Afterwards),
    }),
    answer: Type.Object({ message: MessageEntry, row: DeskRow }),
  }),
  /**
   * Sends a suggested reply as the member's own: `text` as the member leaves it, none for a suggested template. 409
   * NOT_ALLOWED_IN_STATE when it was used or discarded before.
   */
  useSuggestion: face({
    method: "POST",
    path: "/suggestions/{id}/use",
    who: EVERYONE,
    status: 201,
    body: Type.Object({
      clientId: Id,
      text: Type.Optional(Words),
      media: Type.Optional(Type.Array(Id, { maxItems: 10 })),
      replyTo: Type.Optional(Id),
      afterwards: Type.Optional(Afterwards),
    }),
    answer: Type.Object({ message: MessageEntry, row: DeskRow }),
  }),
  sendTemplate: face({
    method: "POST",
    path: "/conversations/{id}/templates",
    who: EVERYONE,
    status: 201,
    body: Type.Object({
      clientId: Id,
      templateId: Id,
      /** One text for each of the template's variables, in their order. */
      variables: Type.Array(Type.String({ maxLength: 1024, ...NO_NUL }), { maxItems: 50 }),
      headerMedia: Type.Optional(Id),
    }),
    answer: Type.Object({ message: MessageEntry, row: DeskRow }),
  }),
  /** A template message to somebody who need not have written yet. */
  startConversation: face({
    method: "POST",
    path: "/contacts/{id}/conversations",
    who: EVERYONE,
    status: 201,
    body: Type.Object({
      clientId: Id,
      channelId: Id,
      templateId: Id,
      variables: Type.Array(Type.String({ maxLength: 1024, ...NO_NUL }), { maxItems: 50 }),
      headerMedia: Type.Optional(Id),
    }),
    answer: Type.Object({ message: MessageEntry, row: DeskRow }),
  }),

  /** Assign, label, resolve, reopen and snooze; one or many at once. */
  changeConversations: face({
    method: "POST",
    path: "/conversations/changes",
    who: EVERYONE,
    body: Type.Object({
      which: Which,
      /** A member's id; null: nobody. */
      assigneeId: Type.Optional(Type.Union([Id, Type.Null()])),
      addLabels: Type.Optional(Type.Array(Short, { maxItems: 20 })),
      removeLabels: Type.Optional(Type.Array(Short, { maxItems: 20 })),
      status: Type.Optional(oneOf(CONVERSATION_STATUSES, "`snoozed` needs `until`.")),
      until: Type.Optional(Moment),
    }),
    answer: Type.Object({
      changed: Type.Integer(),
      /** The first 200 as they are now. */
      rows: Type.Array(DeskRow),
    }),
  }),
  /** How many of the customer's messages this member has seen; one less than there are marks it unread. */
  markSeen: face({
    method: "PUT",
    path: "/conversations/{id}/seen",
    who: EVERYONE,
    body: Type.Object({ seen: Type.Integer({ minimum: 0 }) }),
    answer: MineOf,
  }),
  /** Marks it as read for the whole team: also the public unread count and the customer's ticks. */
  markReadForAll: face({
    method: "POST",
    path: "/conversations/{id}/read",
    who: EVERYONE,
    answer: DeskRow,
  }),
  saveDraft: face({
    method: "PUT",
    path: "/conversations/{id}/draft",
    who: EVERYONE,
    body: Type.Object({
      mode: oneOf(["reply", "note"], "What it will be."),
      /** An empty text without files removes the draft. */
      text: Type.String({ maxLength: 4096, ...NO_NUL }),
      media: Type.Optional(Type.Array(Id, { maxItems: 10 })),
    }),
    answer: MineOf,
  }),

  editContact: face({
    method: "PATCH",
    path: "/contacts/{id}",
    who: EVERYONE,
    body: Type.Object({
      name: Type.Optional(Type.Union([Type.String({ maxLength: 200, ...NO_NUL }), Type.Null()])),
      email: Type.Optional(Type.Union([Type.String({ maxLength: 320, ...NO_NUL }), Type.Null()])),
      phone: Type.Optional(Type.Union([Type.String({ maxLength: 40, ...NO_NUL }), Type.Null()])),
      notes: Type.Optional(Type.Union([Type.String({ maxLength: 5_000, ...NO_NUL }), Type.Null()])),
      language: Type.Optional(Type.Union([Type.String({ maxLength: 20, ...NO_NUL }), Type.Null()])),
      tags: Type.Optional(
        Type.Array(Type.String({ maxLength: 200, ...NO_NUL }), { maxItems: 100 }),
      ),
      attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
    answer: ContactCard,
  }),

  createSavedReply: face({
    method: "POST",
    path: "/saved-replies",
    who: EVERYONE,
    status: 201,
    body: Type.Object({
      shortcut: Shortcut,
      title: Short,
      text: Words,
      media: Type.Optional(Type.Array(Id, { maxItems: 10 })),
      /** Only admins write shared ones. */
      shared: Type.Boolean(),
    }),
    answer: SavedReplyJson,
  }),
  updateSavedReply: face({
    method: "PATCH",
    path: "/saved-replies/{id}",
    who: EVERYONE,
    body: Type.Object({
      shortcut: Type.Optional(Shortcut),
      title: Type.Optional(Short),
      text: Type.Optional(Words),
      media: Type.Optional(Type.Array(Id, { maxItems: 10 })),
    }),
    answer: SavedReplyJson,
  }),
  deleteSavedReply: face({
    method: "DELETE",
    path: "/saved-replies/{id}",
    who: EVERYONE,
    answer: Nothing,
  }),

  readSavedFiles: face({
    method: "GET",
    path: "/files/saved-replies/{id}",
    who: EVERYONE,
    answer: Type.Object({ files: Type.Array(SavedFileJson) }),
  }),
  /** Copies of the saved reply's files, as uploads that one reply can carry (`media`). */
  attachSavedFiles: face({
    method: "POST",
    path: "/files/saved-replies/{id}",
    who: EVERYONE,
    status: 201,
    answer: Type.Object({ files: Type.Array(SavedFileJson) }),
  }),

  createView: face({
    method: "POST",
    path: "/views",
    who: EVERYONE,
    status: 201,
    /** Shared ones are for admins. */
    body: Type.Object({ name: Short, filter: ViewFilter, shared: Type.Boolean() }),
    answer: DeskViewJson,
  }),
  updateView: face({
    method: "PATCH",
    path: "/views/{id}",
    who: EVERYONE,
    body: Type.Object({ name: Type.Optional(Short), filter: Type.Optional(ViewFilter) }),
    answer: DeskViewJson,
  }),
  deleteView: face({ method: "DELETE", path: "/views/{id}", who: EVERYONE, answer: Nothing }),

  search: face({
    method: "GET",
    path: "/search",
    who: EVERYONE,
    query: Type.Object({
      q: Type.String({ minLength: 1, maxLength: 200, ...NO_NUL }),
      /** Only this part; all three when absent. */
      in: Type.Optional(oneOf(["people", "conversations", "messages"], "One region.")),
      cursor: Cursor,
      limit: Limit,
    }),
    answer: Type.Object({
      people: found(ContactCard),
      conversations: found(DeskRow),
      messages: found(
        Type.Object({
          id: text("The message or note."),
          conversationId: text("Its conversation."),
          name: text("The customer."),
          channelType: oneOf(CHANNEL_TYPES, "The kind of channel."),
          at: text("When."),
          side: oneOf(["customer", "us", "note"], "Who said it; a note is by members for members."),
          text: text("Around the words that were found."),
          /** The positions of the matches in `text`. */
          hits: Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer() })),
        }),
      ),
      /** Messages from more than a second ago are still to be added to the search: ask again. */
      behind: Type.Boolean(),
    }),
  }),

  /** What the member is doing, sent every 20 s and on a change. It is told to the others and not stored. */
  tellPresence: face({
    method: "POST",
    path: "/presence",
    who: EVERYONE,
    body: Type.Object({
      /** One id for each browser tab. */
      tab: Id,
      conversationId: Type.Union([Id, Type.Null()]),
      typing: Type.Boolean(),
    }),
    answer: Nothing,
  }),

  listNotices: face({
    method: "GET",
    path: "/notices",
    who: EVERYONE,
    query: Type.Object({ cursor: Cursor, limit: Limit }),
    answer: Type.Object({
      items: Type.Array(MemberNotice),
      unread: Type.Integer(),
      nextCursor: Type.Union([Type.String(), Type.Null()]),
    }),
  }),
  markNoticesRead: face({
    method: "POST",
    path: "/notices/read",
    who: EVERYONE,
    /** These; all when absent. */
    body: Type.Object({ ids: Type.Optional(Type.Array(Id, { maxItems: 200 })) }),
    answer: Type.Object({ unread: Type.Integer() }),
  }),

  saveSettings: face({
    method: "PUT",
    path: "/settings/me",
    who: EVERYONE,
    body: Type.Partial(MemberSettings),
    answer: MemberSettings,
  }),
} as const;
