import { Type, type Static } from "typebox";
import { presentConversation } from "../../conversations/conversation.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { pageConversations } from "../../conversations/page-conversations.ts";
import { AppError } from "../../errors.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { presentMessage } from "../../messages/record/message.ts";
import type { Call } from "./route.ts";
import { AT, cursorQuery, ID, idText, nullableId, ref } from "./shapes.ts";

export const ConversationQuery = Type.Object({
  status: Type.Optional(
    Type.Unsafe<"open" | "snoozed" | "resolved">({
      type: "string",
      enum: ["open", "snoozed", "resolved"],
      description: "Only those in this state.",
      examples: ["open"],
    }),
  ),
  channelId: Type.Optional(idText("Only those of this channel.")),
  contactId: Type.Optional(idText("Only those of this contact.")),
  ...cursorQuery,
});

export const ConversationPage = Type.Object(
  {
    items: Type.Array(ref("Conversation"), { description: "Newest first." }),
    nextCursor: nullableId("Give it as `cursor` to read on. Null at the end."),
  },
  {
    $id: "ConversationPage",
    description: "Read on with `cursor` until `nextCursor` is null.",
  },
);

export const MessageQuery = Type.Object(cursorQuery);

export const MessagePage = Type.Object(
  {
    items: Type.Array(ref("Message"), { description: "Newest first." }),
    nextCursor: nullableId("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "MessagePage", description: "Read on with `cursor` until `nextCursor` is null." },
);

export const conversationExample = {
  id: ID,
  contactId: ID,
  channelId: ID,
  channelType: "WHATSAPP",
  status: "open",
  assigneeId: null,
  labels: ["orders"],
  unreadCount: 1,
  windowExpiresAt: AT,
  lastMessageAt: AT,
  createdAt: AT,
};
export const messageExample = {
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

/** GET /v1/conversations */
export async function getConversations({
  context,
  principal,
  query,
}: Call<Static<typeof ConversationQuery>>): Promise<string> {
  const { cursor, limit = 50, ...filter } = query;
  const page = await pageConversations(context, principal.workspaceId, filter, { cursor, limit });
  const items = page.conversations.map(presentConversation);
  return JSON.stringify({ items, nextCursor: page.nextCursor });
}

async function theConversation({ context, principal, params }: Call) {
  const id = params["id"] ?? "";
  const conversation = await findConversation(context, principal.workspaceId, id);
  if (!conversation) throw new AppError("NOT_FOUND");
  return conversation;
}

/** GET /v1/conversations/{id} */
export async function getConversation(call: Call): Promise<string> {
  return JSON.stringify(presentConversation(await theConversation(call)));
}

/** GET /v1/conversations/{id}/messages */
export async function getMessages(call: Call<Static<typeof MessageQuery>>): Promise<string> {
  const { id } = await theConversation(call);
  const { cursor, limit = 50 } = call.query;
  const { messages, nextCursor } = await listMessages(
    call.context,
    call.principal.workspaceId,
    id,
    {
      ...(cursor !== undefined && { before: cursor }),
      limit,
    },
  );
  return JSON.stringify({ items: messages.map(presentMessage), nextCursor });
}
