import { Type } from "typebox";
import { attachments } from "./attachment.ts";
import {
  AT,
  cursorPage,
  ID,
  id,
  NO_NUL,
  nullableId,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";
import { MESSAGE_SOURCES, OUTBOUND_STATUSES } from "./words.ts";

export const MessageJson = Type.Object(
  {
    id: id("The message's id."),
    conversationId: nullableId("Its conversation. Null for an SMS."),
    contactId: nullableId("The customer."),
    direction: oneOf(["inbound", "outbound"], "Whether the customer wrote it, or the workspace."),
    type: text(
      "`text`, or the kind of its main content: `image`, `audio`, `video`, `document`, `sticker`, `location`, `contacts`, `button`, `interactive`, `order`, `reaction`, `referral`, `template`, `share`, `share_post`, `reel`, `story_mention`, `like_heart`; `unsupported` when the platform does not tell; `deleted` once its sender withdrew it. There may be others.",
    ),
    text: nullableText(
      "What can be shown as text: the words, a file's caption, the label of a button, the emoji of a reaction.",
    ),
    attachments,
    status: oneOf(
      ["received", ...OUTBOUND_STATUSES],
      "`received` for what a customer wrote. Outbound: `sent` once it is accepted, then `delivered` and `read`, or `failed`.",
    ),
    errorCode: nullableText("Why it failed: the platform's code, or one of ours."),
    errorMessage: nullableText("The reason in words."),
    source: oneOf(MESSAGE_SOURCES, "Where it was written."),
    providerMessageId: nullableText(
      "Its id at the platform. Null until the platform has taken it.",
    ),
    createdAt: time("When it was stored."),
    sentAt: nullableTime("When the platform took it."),
    deliveredAt: nullableTime("When it arrived."),
    readAt: nullableTime("When it was read."),
    replyTo: Type.Optional(
      id(
        "The message that it quotes. Absent when it quotes none, or one that is not known here; the attachment `quote` then has the platform's id.",
      ),
    ),
  },
  { $id: "Message", description: "One message of a conversation, or one SMS." },
);
export type MessageJson = Shown<typeof MessageJson>;

export const MessagePageJson = cursorPage("MessagePage", MessageJson, "Newest first.");

export const NewMessage = Type.Object(
  {
    conversationId: Type.String({
      minLength: 1,
      maxLength: 4096,
      ...NO_NUL,
      description:
        "The conversation to answer in. An unknown one gives 400 `CONVERSATION_NOT_FOUND`.",
    }),
    text: Type.String({
      minLength: 1,
      maxLength: 4096,
      ...NO_NUL,
      description: "What the customer reads.",
    }),
  },
  { $id: "NewMessage", description: "A reply inside a conversation." },
);
export type NewMessage = Shown<typeof NewMessage>;

export const MessageAcceptedJson = Type.Object(
  {
    id: id("The message's id."),
    status: Type.String({
      description:
        "`sent`, or `failed` when the reply window is closed (code 131047). Later changes come as `message.status` events.",
    }),
  },
  { $id: "MessageAccepted", description: "The reply is stored and goes out." },
);
export type MessageAcceptedJson = Shown<typeof MessageAcceptedJson>;

export const messageExample: MessageJson = {
  id: ID,
  conversationId: ID,
  contactId: ID,
  direction: "outbound",
  type: "text",
  text: "Hello Sara, your order is on its way.",
  attachments: [],
  status: "delivered",
  errorCode: null,
  errorMessage: null,
  source: "api",
  providerMessageId: "wamid.HBgLMjAxMDAxMjM0NTY3FQIAERgS",
  createdAt: AT,
  sentAt: AT,
  deliveredAt: AT,
  readAt: null,
};
export const newMessageExample: NewMessage = {
  conversationId: ID,
  text: "Hello Sara, your order is on its way.",
};
export const messageAcceptedExample: MessageAcceptedJson = { id: ID, status: "sent" };
