import { Type, type Static } from "typebox";
import { presentConversation } from "../../conversations/conversation.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { AppError } from "../../errors.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { presentMessage } from "../../messages/record/message.ts";
import type { Call } from "./route.ts";
import { cursorQuery } from "./cursor-query.ts";

export const MessageQuery = Type.Object(cursorQuery);

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
