import { Type, type Static } from "typebox";
import { keyActor } from "../../api-keys/api-key.ts";
import { presentConversation } from "../../conversations/conversation.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { AppError } from "../../errors.ts";
import { permitParts, conversationParts } from "../../inbox/list-conversations-shown.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { presentMessage } from "../../messages/record/message.ts";
import { IncludedParts } from "../../operations/conversations.ts";
import { tagOfRecord } from "../../lib/version-tag.ts";
import type { Call } from "./route.ts";
import { cursorQuery } from "./cursor-query.ts";

export const ConversationQuery = Type.Object({ include: IncludedParts });
export const MessageQuery = Type.Object(cursorQuery);

async function theConversation({ context, principal, params }: Call) {
  const id = params["id"] ?? "";
  const conversation = await findConversation(context, principal.workspaceId, id);
  if (!conversation) throw new AppError("NOT_FOUND");
  return conversation;
}

/** GET /v1/conversations/{id}. The `ETag` is the conversation's own, whatever is shown beside it. */
export async function getConversation(
  call: Call<Static<typeof ConversationQuery>>,
): Promise<string> {
  const { context, principal, query, setHeader } = call;
  const { include = [] } = query;
  permitParts(keyActor(principal), include);
  const conversation = await theConversation(call);
  const shown = presentConversation(conversation);
  if (include.length === 0) return JSON.stringify(shown);
  setHeader("etag", tagOfRecord(shown));
  const parts = await conversationParts(context, principal.workspaceId, [conversation], include);
  return JSON.stringify({ ...shown, ...parts(conversation) });
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
