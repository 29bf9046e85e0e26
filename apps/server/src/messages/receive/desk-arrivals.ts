import type { Conversation } from "../../conversations/conversation.ts";
import type { InboundMark } from "../../conversations/touch-conversations.ts";
import { previewOf, type DeskChange } from "../../desk/desk-change.ts";
import type { Message } from "../record/message.ts";

/**
 * What customers' messages change in the inbox: the row moves up, the customer waits, a snooze ends, and a resolved
 * conversation opens. One change per conversation. `conversations` are as they were before the messages.
 */
export function deskArrivals(
  conversations: readonly Conversation[],
  marks: readonly InboundMark[],
  messages: readonly Message[],
  now: Date,
): DeskChange[] {
  const before = new Map(conversations.map((one) => [one.id, one]));
  const last = new Map(messages.map((message) => [message.conversationId, message]));
  return marks.flatMap((mark): DeskChange[] => {
    const conversation = before.get(mark.id);
    const message = last.get(mark.id);
    // A reaction that was taken back says nothing new.
    if (!conversation || !message || mark.count === 0) return [];
    return [
      {
        conversation: {
          ...conversation,
          status: "open",
          windowExpiresAt: later(conversation.windowExpiresAt, mark.windowEnd),
        },
        actedAt: now,
        waiting: "customer",
        inbound: mark.count,
        said: {
          id: message.id,
          kind: message.type,
          preview: previewOf(message.text),
          side: "customer",
          by: null,
        },
      },
    ];
  });
}

function later(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
