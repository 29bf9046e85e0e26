import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { presentThreadRow, visitorStatusOf, type ChatMessage } from "./chat-message.ts";
import {
  selectBehind,
  selectVisitorChanges,
  selectVisitorHistory,
  selectStand,
} from "./thread-store.ts";
import type { Position, ThreadOwner } from "./thread-store.ts";

export type { Position, ThreadOwner } from "./thread-store.ts";

/** The position before all changes. */
export const START: Position = { conversationId: null, sequence: 0 };

/** A position as the widget keeps it. */
export function writeCursor({ conversationId, sequence }: Position): string {
  return conversationId === null ? "0" : `${sequence}.${conversationId}`;
}

/** Null: it is not a position of ours. */
export function readCursor(text: string): Position | null {
  if (text === "0") return START;
  const [, digits = "", conversationId = ""] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text) ?? [];
  return isId(conversationId) ? { conversationId, sequence: Number(digits) } : null;
}

/**
 * The last messages of a visitor's conversation, oldest first; whether there are `earlier` ones; and the position
 * after them.
 */
export async function readHistory(
  context: Pick<Context, "db">,
  owner: ThreadOwner,
  visitorId: string,
  limit: number,
): Promise<{ position: Position; messages: ChatMessage[]; earlier: boolean; unread: number }> {
  const stand = await selectStand(context.db, owner);
  if (stand === null) return { position: START, messages: [], earlier: false, unread: 0 };
  const rows = await selectVisitorHistory(context.db, owner.workspaceId, stand, limit + 1);
  const { conversationId, sequence, unread } = stand;
  return {
    position: { conversationId, sequence },
    messages: rows
      .slice(0, limit)
      .toReversed()
      .map((row) => presentThreadRow(row, visitorId)),
    earlier: rows.length > limit,
    unread: Math.min(unread, 99),
  };
}

/** One frame of a stream: a new message, or a new status of an older one. */
export type ThreadFrame = { readonly position: Position } & (
  | { readonly kind: "message"; readonly message: ChatMessage }
  | { readonly kind: "status"; readonly id: string; readonly status: string }
);

const PAGE = 100;

/**
 * What a visitor has not seen after a position, in order. A full page means that there is more. Numbers are given
 * under the conversation's lock, so no change can come in below one that was read. A message that failed before it
 * was shown is told only as a status.
 */
export async function readChanges(
  context: Pick<Context, "db">,
  owner: ThreadOwner,
  visitorId: string,
  after: Position,
): Promise<{ frames: ThreadFrame[]; more: boolean }> {
  const rows = await selectVisitorChanges(context.db, owner, after, PAGE);
  const frames = rows.map((row): ThreadFrame => {
    const position = { conversationId: row.conversationId, sequence: row.chatChanged };
    const seen = after.conversationId === row.conversationId ? after.sequence : 0;
    const lost = row.direction === "outbound" && row.status === "failed";
    return row.chatCreated > seen && !lost
      ? { position, kind: "message", message: presentThreadRow(row, visitorId) }
      : { position, kind: "status", id: row.id, status: visitorStatusOf(row) };
  });
  return { frames, more: rows.length === PAGE };
}

/** The places of those visitors who have something new to read. One statement for all. */
export function findVisitorsWithNews(
  context: Pick<Context, "db">,
  list: readonly (ThreadOwner & Position)[],
): Promise<number[]> {
  return list.length === 0 ? Promise.resolve([]) : selectBehind(context.db, list);
}
