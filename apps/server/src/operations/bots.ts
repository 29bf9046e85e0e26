import { Type } from "typebox";
import {
  aiDocumentExample,
  botExample,
  BotJson,
  BotList,
  botListedExample,
  BotVersionList,
  PublishedBot,
  runExample,
  RunJson,
} from "../wire/bot.ts";
import {
  FlowPreview,
  flowPreviewExample,
  PREVIEW_SAID,
  PreviewSaid,
} from "../wire/flow-preview.ts";
import { conversationExample, ConversationJson } from "../wire/conversation.ts";
import { DeskRow, deskRowExample } from "../wire/desk-shapes.ts";
import { testCallExample, TestCallJson } from "../wire/external-bot.ts";
import { LookupDone } from "../wire/lookup.ts";
import { AT, ID, NO_NUL, oneOf, text } from "../wire/schema.ts";
import { CHANNEL_TYPES, HAND_OVER_REASONS } from "../wire/words.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

const id = anyId("The bot.");
const conversation = anyId("The conversation.");
const document = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: "object",
  additionalProperties: true,
  maxProperties: 100,
  description: "The bot's document. A draft may have faults; `faults` of the answer names them.",
  examples: [aiDocumentExample],
});
const writing = {
  roles: ADMINS,
  scope: null,
  bots: false,
  trace: "audit",
  doors: ["app"],
} as const;
const reading = { roles: EVERYONE, scope: null, bots: false, trace: null, doors: ["app"] } as const;
const drafted = {
  ...botListedExample,
  status: "draft",
  version: null,
  draft: true,
  answered: 0,
  handedOver: 0,
} as const;
/** A conversation in which nothing was said yet. */
const quiet = {
  ...deskRowExample,
  name: "+201001234567",
  named: false,
  labels: [],
  preview: "",
  lastInboundId: null,
  inboundCount: 0,
  waitingSince: null,
} as const;
const quietConversation = {
  ...conversationExample,
  labels: [],
  unreadCount: 0,
  lastMessageAt: null,
} as const;
const published = { ...botExample, status: "live", version: 1, draft: false } as const;
const byMembers = {
  roles: EVERYONE,
  scope: null,
  bots: false,
  trace: "author",
  doors: ["app"],
} as const;
const byPrograms = {
  roles: EVERYONE,
  scope: "bots:write",
  bots: false,
  trace: "audit",
  doors: ["v1"],
} as const;

/** Bots, their versions, and who answers a conversation. */
export const botOperations = {
  listBots: operation("bot.list", {
    says: "List the bots, the newest first; archived ones last",
    at: "GET /bots",
    input: {},
    answer: BotList,
    example: { input: {}, answer: { items: [drafted] }, after: "bot.create" },
    errors: [],
    roles: EVERYONE,
    scope: "bots:read",
    bots: true,
    trace: null,
    doors: ["app", "v1"],
  }),
  createBot: operation("bot.create", {
    says: "Create a bot from a document",
    at: "POST /bots",
    input: { document },
    answer: BotJson,
    example: { input: { document: { ...aiDocumentExample } }, answer: botExample },
    errors: [],
    status: 201,
    ...writing,
  }),
  readBot: operation("bot.show", {
    says: "One bot with its draft and what keeps it from being published",
    at: "GET /bots/{id}",
    input: { id },
    answer: BotJson,
    example: { input: { id: ID }, answer: botExample, after: "bot.create" },
    errors: ["NOT_FOUND"],
    ...reading,
  }),
  saveBotDraft: operation("bot.save_draft", {
    says: "Save the draft of a bot",
    more: "What is published answers as before.",
    at: "PUT /bots/{id}/draft",
    input: { id, document },
    answer: BotJson,
    example: {
      input: { id: ID, document: { ...aiDocumentExample } },
      answer: botExample,
      after: "bot.create",
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...writing,
  }),
  previewBot: operation("bot.preview", {
    says: "Try a flow: what it says and does when a customer writes this",
    more: "Nothing is stored, sent or metered. The first words begin the flow.",
    at: "POST /bots/{id}/preview",
    input: {
      id,
      document: Type.Optional(document),
      said: Type.Array(PreviewSaid, {
        maxItems: PREVIEW_SAID,
        description: "What the customer did so far, oldest first.",
        examples: [[{ text: "Hello" }]],
      }),
      language: Type.Optional(
        oneOf(["en", "ar"], "The customer's language until they write. `en` when absent."),
      ),
      channel: Type.Optional(
        oneOf(CHANNEL_TYPES, "The kind of channel. The first of the trigger when absent."),
      ),
    },
    answer: FlowPreview,
    example: { input: { id: ID, said: [] }, answer: flowPreviewExample },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...writing,
    trace: null,
  }),
  publishBot: operation("bot.publish", {
    says: "Publish the draft of a bot as its next version, which answers from now on",
    more: "Conversations that an earlier version answers end with it.",
    at: "POST /bots/{id}/publish",
    input: {
      id,
      untested: Type.Optional(
        Type.Boolean({ description: "Also when cases fail. The audit says so.", examples: [true] }),
      ),
      note: Type.Optional(
        Type.String({
          maxLength: 500,
          ...NO_NUL,
          description: "What is new, for the list of versions.",
          examples: ["Knows the new opening hours."],
        }),
      ),
    },
    answer: PublishedBot,
    example: {
      input: { id: ID },
      answer: { id: ID, version: 1, status: "live" },
      after: "bot.create",
    },
    errors: ["NOT_FOUND", "BOT_NOT_PUBLISHABLE", "CASES_FAIL", "BOT_LIMIT_REACHED"],
    ...writing,
  }),
  pauseBot: operation("bot.pause", {
    says: "Pause a bot: it begins in no more conversations",
    at: "POST /bots/{id}/pause",
    input: { id },
    answer: BotJson,
    example: {
      input: { id: ID },
      answer: { ...published, status: "paused" },
      after: "bot.publish",
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...writing,
  }),
  resumeBot: operation("bot.resume", {
    says: "Let a paused bot answer again",
    at: "POST /bots/{id}/resume",
    input: { id },
    answer: BotJson,
    example: { input: { id: ID }, answer: published, after: "bot.pause" },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE", "BOT_LIMIT_REACHED"],
    ...writing,
  }),
  archiveBot: operation("bot.archive", {
    says: "Archive a bot: it answers no more and hands its conversations over",
    at: "POST /bots/{id}/archive",
    input: { id },
    answer: BotJson,
    example: {
      input: { id: ID },
      answer: { ...botExample, status: "archived" },
      after: "bot.create",
    },
    errors: ["NOT_FOUND"],
    ...writing,
  }),
  listBotVersions: operation("bot.list_versions", {
    says: "List what was published of a bot, the newest first",
    at: "GET /bots/{id}/versions",
    input: { id },
    answer: BotVersionList,
    example: {
      input: { id: ID },
      answer: {
        items: [
          {
            number: 1,
            publishedBy: `member:${ID}`,
            publishedAt: AT,
            note: null,
            untested: false,
            runs: 0,
            document: { ...aiDocumentExample },
          },
        ],
      },
      after: "bot.publish",
    },
    errors: ["NOT_FOUND"],
    ...reading,
  }),
  restoreBotVersion: operation("bot.restore_version", {
    says: "Make an earlier version the draft again",
    at: "POST /bots/{id}/versions/{n}/restore",
    input: {
      id,
      n: Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: "The version.",
        examples: [1],
      }),
    },
    answer: BotJson,
    example: { input: { id: ID, n: 1 }, answer: published, after: "bot.publish" },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...writing,
  }),
  makeBotSecret: operation("bot.make_secret", {
    says: "Make the secret that signs the calls to an external bot; the one before ends at once",
    more: "It is shown once.",
    at: "POST /bots/{id}/secret",
    input: { id },
    answer: Type.Object({ secret: text("As webhooks' secrets: `whsec_` and base64.") }),
    example: { input: { id: ID }, answer: { secret: "whsec_C2FtcGxlIHNlY3JldA==" } },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    secret: true,
    proven: true,
    ...writing,
  }),
  testExternalBot: operation("bot.test_call", {
    says: "Post one signed turn to an external bot, as if a customer said hello, and show its answer",
    more: "No customer gets the answer.",
    at: "POST /bots/{id}/test-call",
    input: { id },
    answer: TestCallJson,
    example: { input: { id: ID }, answer: testCallExample },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...writing,
  }),
  testLookup: operation("bot.test_lookup", {
    says: "Make a look-up of an AI bot's draft once, for no customer, and show what it gave",
    at: "POST /bots/{id}/test-lookup",
    input: {
      id,
      name: Type.String({
        minLength: 1,
        maxLength: 80,
        ...NO_NUL,
        description: "The look-up.",
        examples: ["order_status"],
      }),
      arguments: Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: "object",
        additionalProperties: true,
        maxProperties: 10,
        description: "Its arguments, as a model would fill them.",
        examples: [{ number: "1042" }],
      }),
    },
    answer: LookupDone,
    example: {
      input: { id: ID, name: "order_status", arguments: { number: "1042" } },
      answer: {
        id: "t1",
        name: "order_status",
        arguments: { number: "1042" },
        answer: "",
        fault: "not_set_up",
        detail: "the bot has no secret",
        ms: 210,
      },
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...writing,
  }),
  takeOver: operation("bot.take_over", {
    says: "Take a conversation over from its bot, and have it assigned",
    at: "POST /conversations/{id}/take-over",
    input: { id: conversation },
    answer: DeskRow,
    example: { input: { id: ID }, answer: { ...quiet, assigneeId: ID } },
    errors: ["NOT_FOUND"],
    ...byMembers,
  }),
  giveBack: operation("bot.give_back", {
    says: "Give a conversation back: the next message of the customer starts a bot",
    at: "POST /conversations/{id}/give-back",
    input: { id: conversation },
    answer: DeskRow,
    example: { input: { id: ID }, answer: quiet },
    errors: ["NOT_FOUND"],
    ...byMembers,
  }),
  readRun: operation("bot.show_run", {
    says: "What the last bot did in a conversation",
    at: "GET /conversations/{id}/run",
    input: { id: conversation },
    answer: RunJson,
    example: { input: { id: ID }, answer: runExample },
    errors: ["NOT_FOUND"],
    ...reading,
  }),
  handOverConversation: operation("conversation.hand_over", {
    says: "Hand a conversation over from its bot to people",
    more: "The customer gets the bot's text for it, members a note. Where no bot answers nothing changes: a program that wants such a conversation for people assigns it.",
    at: "POST /conversations/{id}/hand-over",
    input: {
      id: conversation,
      reason: Type.Optional(oneOf(HAND_OVER_REASONS, "Why. `asked` when absent.", "asked")),
      summary: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1_000,
          ...NO_NUL,
          description: "What the talk was about, for members.",
          examples: ["Asks for a refund of order 1042."],
        }),
      ),
    },
    answer: ConversationJson,
    example: {
      input: { id: ID },
      answer: {
        ...quietConversation,
        lastMessageAt: AT,
        handler: { kind: "person", botId: ID },
      },
    },
    errors: ["NOT_FOUND"],
    ...byPrograms,
  }),
  giveConversationBack: operation("conversation.give_back", {
    says: "Give a conversation back to bots: the next message of the customer starts one",
    more: "It has no assignee afterwards.",
    at: "POST /conversations/{id}/give-back",
    input: { id: conversation },
    answer: ConversationJson,
    example: { input: { id: ID }, answer: quietConversation },
    errors: ["NOT_FOUND"],
    ...byPrograms,
  }),
} as const;
