import { madeBy, type Actor } from "../actor.ts";
import type { ConversationJson } from "../wire/conversation.ts";
import type { HandlerJson } from "../wire/bot.ts";
import type { ChannelType, ConversationStatus } from "../wire/words.ts";
import type { NewEvent } from "../webhooks/event.ts";

/** The one thread of a contact on a channel account (contract §5, Conversations). */
export interface Conversation {
  readonly workspaceId: string;
  readonly id: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly channelType: ChannelType;
  /** The address of a reply: the customer's id on the channel, or the thread's own (TikTok). */
  readonly externalId: string;
  readonly status: ConversationStatus;
  readonly assigneeId: string | null;
  readonly labels: readonly string[];
  readonly unreadCount: number;
  readonly windowExpiresAt: Date | null;
  readonly lastMessageAt: Date | null;
  readonly createdAt: Date;
  /** Of a snoozed one: when that ends; null when it has no end. */
  readonly snoozedUntil: Date | null;
}

/** A conversation with who answers it, as the API shows it. */
export interface ShownConversation extends Conversation {
  readonly handler: HandlerJson;
}

/** The API's JSON of a conversation. */
export function presentConversation(conversation: ShownConversation): ConversationJson {
  return {
    id: conversation.id,
    contactId: conversation.contactId,
    channelId: conversation.channelId,
    channelType: conversation.channelType,
    status: conversation.status,
    assigneeId: conversation.assigneeId,
    labels: conversation.labels,
    unreadCount: conversation.unreadCount,
    windowExpiresAt: conversation.windowExpiresAt?.toISOString() ?? null,
    lastMessageAt: conversation.lastMessageAt?.toISOString() ?? null,
    createdAt: conversation.createdAt.toISOString(),
    handler: conversation.handler,
    snoozedUntil:
      conversation.status === "snoozed" ? (conversation.snoozedUntil?.toISOString() ?? null) : null,
  };
}

/**
 * The event with the whole conversation as the caller last read or wrote it (contract §5, Webhook request). `by` changed it:
 * a program knows its own changes by that.
 */
export function conversationEvent(
  type: "conversation.created" | "conversation.updated",
  conversation: ShownConversation,
  by?: Actor,
): NewEvent {
  return {
    workspaceId: conversation.workspaceId,
    type,
    data: { conversation: presentConversation(conversation), ...madeBy(by) },
  };
}
