import type { Queryable } from "../../db/database.ts";
import type { Message } from "./message.ts";
import { selectByIds, selectBelow, selectFrom } from "./person-messages-store.ts";

export type PersonMessage = Pick<
  Message,
  | "id"
  | "conversationId"
  | "channelId"
  | "direction"
  | "type"
  | "text"
  | "attachments"
  | "template"
  | "status"
  | "errorCode"
  | "errorMessage"
  | "source"
  | "providerMessageId"
  | "broadcastId"
  | "createdAt"
  | "sentAt"
  | "deliveredAt"
  | "readAt"
>;

/** Messages of these conversations, newest first, with ids below `below`. */
export function newestMessages(
  db: Queryable,
  workspaceId: string,
  threadIds: readonly string[],
  below: string,
  limit: number,
): Promise<PersonMessage[]> {
  return threadIds.length === 0
    ? Promise.resolve([])
    : selectBelow(db, workspaceId, threadIds, below, limit);
}

/** Messages of one conversation, oldest first, after an id. */
export function oldestMessages(
  db: Queryable,
  workspaceId: string,
  threadId: string,
  after: string,
  limit: number,
): Promise<PersonMessage[]> {
  return selectFrom(db, workspaceId, threadId, after, limit);
}

/** Messages by id: those of SMS campaigns have no conversation. */
export function messagesById(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<PersonMessage[]> {
  return selectByIds(db, workspaceId, ids);
}
