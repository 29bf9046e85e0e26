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

/** Messages of these conversations with ids below `below`, newest first, at most `limit`; not those of campaigns. */
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

/** Messages of one conversation with ids above `after`, oldest first, at most `limit`. */
export function oldestMessages(
  db: Queryable,
  workspaceId: string,
  threadId: string,
  after: string,
  limit: number,
): Promise<PersonMessage[]> {
  return selectFrom(db, workspaceId, threadId, after, limit);
}

/** Those of these messages that exist, oldest first. SMS of campaigns have no conversation, so they are found by id. */
export function messagesById(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<PersonMessage[]> {
  return selectByIds(db, workspaceId, ids);
}
