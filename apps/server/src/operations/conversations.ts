import { Type } from "typebox";
import {
  CONVERSATION_ORDERS,
  CONVERSATION_PARTS,
  conversationExample,
  ConversationJson,
  ConversationPageJson,
} from "../wire/conversation.ts";
import { messageExample, MessageJson, MessagePageJson } from "../wire/message.ts";
import { count, ID, NO_NUL, oneOf } from "../wire/schema.ts";
import { TemplateChoice, templateParts } from "../wire/template-message.ts";
import { CONVERSATION_STATUSES } from "../wire/words.ts";
import { anyId, idText, moment } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { EVERYONE } from "./roles.ts";

const label = Type.String({ minLength: 1, maxLength: 80, ...NO_NUL });
const labels = (description: string) =>
  Type.Optional(Type.Array(label, { maxItems: 20, description, examples: [["vip"]] }));

const change = {
  status: Type.Optional(
    oneOf(CONVERSATION_STATUSES, "`snoozed` needs `snoozedUntil`.", "resolved"),
  ),
  snoozedUntil: Type.Optional(moment("The end of the snooze, with the status `snoozed`.")),
  assigneeId: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      maxLength: 100,
      ...NO_NUL,
      description: "The member it is assigned to; null: no one.",
      examples: [ID],
    }),
  ),
  addLabels: labels("Added to its labels."),
  removeLabels: labels("Removed from its labels."),
  read: Type.Optional(
    Type.Boolean({
      description: "True: its unread count becomes 0, also for the customer's ticks.",
    }),
  ),
};
const rights = { roles: EVERYONE, bots: false, doors: ["v1", "cli"] } as const;

/** `include` of the reads of conversations. */
export const IncludedParts = Type.Optional(
  Type.Array(oneOf(CONVERSATION_PARTS, "A part.", "contact"), {
    maxItems: CONVERSATION_PARTS.length,
    description: "What a conversation shows beside itself, separated by commas.",
    examples: [["contact", "lastMessage"]],
  }),
);

/** What programs do in conversations. */
export const conversations = {
  listConversations: operation("conversation.page", {
    says: "List conversations, newest first",
    more: "Each filter is optional, and a conversation must fit all. With `sort=changes` what changes while you read on moves to the end, so a copy that reads to the end has all; begin the next time with `updatedAfter`. A conversation that a campaign or a template opened is in the orders `recent` and `changes` once its customer wrote or somebody acted on it. `include=contact` also needs the scope `contacts:read`, and `include=assignee` `team:read`.",
    at: "GET /conversations",
    input: {
      status: Type.Optional(oneOf(CONVERSATION_STATUSES, "Only those in this state.", "open")),
      channelId: Type.Optional(idText("Only those of this channel.")),
      contactId: Type.Optional(idText("Only those of this contact.")),
      assigneeId: Type.Optional(
        Type.String({
          pattern: "^(none|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$",
          maxLength: 36,
          "x-fault": "must be a member's id, or none",
          description: "Only those that this member has; `none`: those that no one has.",
          examples: ["none"],
        }),
      ),
      label: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 80,
          ...NO_NUL,
          description: "Only those with this label.",
          examples: ["orders"],
        }),
      ),
      unread: Type.Optional(
        oneOf(
          ["true", "false"],
          "Only those with messages that no one has read, or without.",
          "true",
        ),
      ),
      unanswered: Type.Optional(
        oneOf(
          ["true", "false"],
          "Only open ones whose customer waits for an answer, as the inbox's view Unanswered has them, or all others.",
          "true",
        ),
      ),
      updatedAfter: Type.Optional(
        moment("Only those that changed later. The order is then `changes`, or `recent`."),
      ),
      sort: Type.Optional(
        oneOf(
          CONVERSATION_ORDERS,
          "`newest`: created last first, as without it. `recent`: changed last first. `changes`: changed longest ago first.",
          "recent",
        ),
      ),
      include: IncludedParts,
      ...pageInput("`nextCursor` of the page before.", ID),
    },
    answer: ConversationPageJson,
    example: {
      input: { status: "open", limit: 50 },
      answer: { items: [conversationExample], nextCursor: null },
    },
    errors: ["MISSING_SCOPE:contacts:read", "MISSING_SCOPE:team:read"],
    scope: "messages:read",
    trace: null,
    ...rights,
    bots: true,
    doors: ["v1"],
  }),
  listAllMessages: operation("message.page", {
    says: "List the messages of all conversations, newest first",
    more: "The first copy of everything takes a call for 200 messages. Take the feed's place before it (`GET /v1/events` with `after=latest`), and follow the feed from there: what is sent, changed or deleted meanwhile is read after the copy.",
    at: "GET /messages",
    input: pageInput("`nextCursor` of the page before.", ID),
    answer: MessagePageJson,
    example: { input: { limit: 50 }, answer: { items: [messageExample], nextCursor: null } },
    errors: [],
    scope: "messages:read",
    trace: null,
    ...rights,
    doors: ["v1"],
  }),
  changeConversation: operation("conversation.change", {
    says: "Change a conversation: status, assignee, labels, read",
    more: "With `note` it is handed over in one step: the note is written in the same transaction. `addLabels` and `removeLabels` need no `If-Match`. The same call twice changes nothing more, but a note is written each time.",
    at: "PATCH /conversations/{id}",
    input: {
      id: anyId("The conversation."),
      ...change,
      note: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          ...NO_NUL,
          description: "A note for the members, by the key.",
          examples: ["Asks for a refund."],
        }),
      ),
    },
    answer: ConversationJson,
    example: {
      input: { id: ID, addLabels: ["orders"], read: true },
      answer: { ...conversationExample, unreadCount: 0, lastMessageAt: null },
    },
    errors: ["NOT_FOUND"],
    scope: "conversations:write",
    trace: "audit",
    versioned: true,
    ...rights,
    doors: ["v1", "cli", "mcp"],
    tool: { name: "change_conversation", class: "draft", reaches: ["id"] },
  }),
  changeManyConversations: operation("conversation.change_many", {
    says: "Change up to 200 conversations in the same way",
    more: "Each in a transaction of its own. Ids without a conversation are left out; `changed` says how many there were.",
    at: "POST /conversations/changes",
    input: {
      ids: Type.Array(anyId("A conversation's id."), {
        minItems: 1,
        maxItems: 200,
        description: "The conversations.",
        examples: [[ID]],
      }),
      ...change,
    },
    answer: Type.Object(
      { changed: count("How many of the conversations there were.") },
      { $id: "ConversationsChanged", description: "The change is made." },
    ),
    example: { input: { ids: [ID], status: "resolved" }, answer: { changed: 1 } },
    errors: [],
    scope: "conversations:write",
    trace: "audit",
    ...rights,
  }),
  sendInConversation: operation("conversation.send", {
    says: "Send a message in a conversation: text, files, buttons, a quote, a template",
    more: "As `POST /v1/messages`, with more: files that were uploaded before, or a template in place of the text, which may go after the reply window has closed. `choices` are answers to press; a press is an inbound message whose attachment `button`, `button_reply` or `list_reply` has the payload. `replyTo` quotes a message of the conversation that the platform has: on WhatsApp, Telegram and Messenger, and with a text on TikTok; elsewhere it is refused with `NOT_SUPPORTED_HERE`. `afterwards` resolves or snoozes the conversation in the same transaction. With `answers` false the customer goes on waiting: the inbox lists the conversation as unanswered.",
    at: "POST /conversations/{id}/messages",
    input: {
      id: anyId("The conversation."),
      text: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          ...NO_NUL,
          description: "What the customer reads.",
          examples: [messageExample.text],
        }),
      ),
      attachments: Type.Optional(
        Type.Array(anyId("The id of an upload."), {
          maxItems: 10,
          description: "Uploads (`POST /v1/media`); each goes with one message.",
          examples: [[ID]],
        }),
      ),
      choices: Type.Optional(
        Type.Array(
          Type.Object(
            {
              text: Type.String({
                minLength: 1,
                maxLength: 80,
                ...NO_NUL,
                description: "What the button says.",
                examples: ["Yes"],
              }),
              payload: Type.String({
                minLength: 1,
                maxLength: 64,
                ...NO_NUL,
                description: "What a press gives back: at most 64 bytes.",
                examples: ["order/confirm"],
              }),
            },
            { $id: "NewChoice", additionalProperties: false, description: "One answer to press." },
          ),
          {
            minItems: 1,
            maxItems: 10,
            description:
              "Answers that are offered with the text: buttons where the channel has them, else numbered lines.",
          },
        ),
      ),
      replyTo: Type.Optional(
        anyId("The message of this conversation that it quotes, on channels that have quotes."),
      ),
      template: Type.Optional(TemplateChoice),
      ...templateParts,
      afterwards: Type.Optional(
        Type.Object(
          {
            status: oneOf(["resolved", "snoozed"], "`snoozed` needs `snoozedUntil`."),
            snoozedUntil: Type.Optional(moment("The end of the snooze.")),
          },
          {
            $id: "Afterwards",
            additionalProperties: false,
            description: "What happens to the conversation in the same step.",
          },
        ),
      ),
      answers: Type.Optional(
        Type.Boolean({
          default: true,
          description: "False: an automatic word after which the customer goes on waiting.",
        }),
      ),
    },
    answer: MessageJson,
    example: {
      input: { id: ID, text: messageExample.text ?? "" },
      answer: {
        ...messageExample,
        status: "sent",
        providerMessageId: null,
        sentAt: null,
        deliveredAt: null,
      },
    },
    errors: [
      "NOT_FOUND",
      "ATTACHMENT_REFUSED",
      "NOT_SUPPORTED_HERE",
      "TEMPLATE_NOT_APPROVED",
      "TEMPLATE_PARAMETERS",
      "CHANNEL_NEEDED",
      "CONTACT_OPTED_OUT",
      "MESSAGE_LIMIT_REACHED",
      "SUBSCRIPTION_SUSPENDED",
    ],
    scope: "messages:write",
    trace: "author",
    status: 201,
    ...rights,
    doors: ["v1", "cli", "mcp"],
    tool: {
      name: "send_reply",
      class: "send",
      says: "Send a text to the customer of a conversation",
      needs: ["text"],
      without: [
        "attachments",
        "choices",
        "replyTo",
        "template",
        "body",
        "header",
        "buttons",
        "afterwards",
        "answers",
      ],
      reaches: ["id"],
    },
  }),
} as const;
