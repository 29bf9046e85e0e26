import type { ChatMessage } from "./protocol.ts";

/** Adds what came, or brings up to date what is there: by id, in the order of ids, which is the server's order. */
export function merge(
  list: readonly ChatMessage[],
  incoming: readonly ChatMessage[],
): readonly ChatMessage[] {
  if (incoming.length === 0) return list;
  const byId = new Map(list.map((message) => [message.id, message]));
  for (const message of incoming) byId.set(message.id, message);
  return [...byId.values()].sort((a, b) => (a.id > b.id ? 1 : -1));
}

/**
 * The list after a new session. What was shown stays when the new list goes on from it; when they share nothing it is
 * another conversation (a new visitor) and only the new one counts.
 */
export function afterSession(
  list: readonly ChatMessage[],
  incoming: readonly ChatMessage[],
): readonly ChatMessage[] {
  const known = new Set(list.map((message) => message.id));
  return incoming.some((message) => known.has(message.id)) ? merge(list, incoming) : [...incoming];
}

const RANKS: readonly string[] = ["queued", "sending", "sent", "delivered", "read", "failed"];

/** A status moves forward only: a late "delivered" does not undo a "read". */
export function withStatus(
  list: readonly ChatMessage[],
  id: string,
  status: string,
): readonly ChatMessage[] {
  return list.map((message) =>
    message.id === id && RANKS.indexOf(status) > RANKS.indexOf(message.status)
      ? { ...message, status }
      : message,
  );
}

/** How many messages of ours come after the one that was read last. */
export function unreadAfter(list: readonly ChatMessage[], readId: string): number {
  return list.filter((message) => message.from === "agent" && message.id > readId).length;
}

/** The newest message of ours that the server does not know to be read. */
export function lastUnread(list: readonly ChatMessage[]): ChatMessage | undefined {
  return list.findLast(
    ({ from, status }) => from === "agent" && status !== "read" && status !== "failed",
  );
}

export function lastFromAgent(list: readonly ChatMessage[]): ChatMessage | undefined {
  return list.findLast((message) => message.from === "agent");
}
