import type { Actor } from "../../actor.ts";
import type { TemplateContent } from "../../channels/adapter.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import type { AttachmentJson } from "../../wire/attachment.ts";
import type { EventData } from "../../wire/event.ts";
import type { MessageJson } from "../../wire/message.ts";
import {
  MEDIA_KINDS,
  type ChannelType,
  type MessageSource,
  type MessageStatus,
  type OutboundStatus,
} from "../../wire/words.ts";
import { quoteIn } from "./quote.ts";

/** The `source` that the API shows for the author of a reply. */
export function sourceOf({ kind }: Actor): MessageSource {
  switch (kind) {
    case "key":
      return "api";
    case "member":
    case "operator":
      return "dashboard";
    case "bot":
    case "system":
      return "bot";
  }
}

/** One message, in or out (contract §5, Messages). An SMS has neither conversation nor channel. */
export interface Message {
  readonly workspaceId: string;
  readonly id: string;
  readonly conversationId: string | null;
  readonly contactId: string | null;
  readonly channelId: string | null;
  readonly channelType: ChannelType | null;
  readonly direction: "inbound" | "outbound";
  readonly type: string;
  readonly text: string | null;
  readonly attachments: readonly AttachmentJson[];
  readonly template: TemplateContent | null;
  readonly status: MessageStatus;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly source: MessageSource;
  /** The actor that wrote it (`actorName`); null for customers, platforms and campaigns. */
  readonly author: string | null;
  /** Of a bot's message: whether a language model wrote it, or a part of it. */
  readonly byModel?: boolean;
  /** False: it ends nobody's wait, as its program asked. Absent: it answers. */
  readonly answers?: boolean;
  readonly providerMessageId: string | null;
  readonly broadcastId: string | null;
  /** Set when the message went in parts. Its status is then the worst of theirs. */
  readonly partCount?: number | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
}

/** A message without its content. */
export type MessageProgress = Omit<
  Message,
  "direction" | "type" | "text" | "attachments" | "template" | "source" | "author"
> & {
  /** Of a campaign: the contact under which the recipient is stored, even when it was merged since. */
  readonly recipientId: string | null;
};

/** The API's JSON of a message. */
export function presentMessage(message: Message): MessageJson {
  const { replyTo } = quoteIn(message.attachments) ?? {};
  return {
    id: message.id,
    conversationId: message.conversationId,
    contactId: message.contactId,
    direction: message.direction,
    type: message.type,
    text: message.text,
    attachments: message.attachments,
    status: message.status,
    errorCode: message.errorCode,
    errorMessage: message.errorMessage,
    source: message.source,
    providerMessageId: message.providerMessageId,
    createdAt: message.createdAt.toISOString(),
    sentAt: message.sentAt?.toISOString() ?? null,
    deliveredAt: message.deliveredAt?.toISOString() ?? null,
    readAt: message.readAt?.toISOString() ?? null,
    ...(replyTo && { replyTo }),
  };
}

type Facts = Pick<
  Message,
  "workspaceId" | "id" | "conversationId" | "contactId" | "channelId" | "channelType"
>;

const factsOf = (message: Facts) => ({
  messageId: message.id,
  conversationId: message.conversationId,
  contactId: message.contactId,
  channelId: message.channelId,
  channelType: message.channelType,
});

/** `message.received` for an inbound message, `message.created` for an outbound one, whoever sent it. */
export function messageEvent(message: Message): NewEvent {
  return {
    workspaceId: message.workspaceId,
    type: message.direction === "inbound" ? "message.received" : "message.created",
    data: { ...factsOf(message), message: presentMessage(message) },
  };
}

/** What its sender changed at the platform. */
export const changeEvent = (
  message: Message,
  change: { readonly kind: "edited" | "deleted"; readonly at: Date },
): NewEvent =>
  change.kind === "edited"
    ? {
        workspaceId: message.workspaceId,
        type: "message.updated",
        data: { ...factsOf(message), message: presentMessage(message) },
      }
    : {
        workspaceId: message.workspaceId,
        type: "message.deleted",
        data: { ...factsOf(message), occurredAt: change.at.toISOString() },
      };

/** `media.stored`: a file of the message is here. */
export const fileEvent = (
  message: Facts,
  file: Omit<EventData["media.stored"], keyof ReturnType<typeof factsOf> | "contact">,
): NewEvent => ({
  workspaceId: message.workspaceId,
  type: "media.stored",
  data: { ...factsOf(message), ...file },
});

/**
 * The `media.stored` of files that are here with their message, because a visitor of web chat uploaded them before. Files
 * that have to be fetched have theirs later.
 */
export const uploadedFileEvents = (message: Message, at: Date): NewEvent[] =>
  message.attachments.flatMap(({ type, mediaId, status, mimeType, fileName, size }) => {
    const kind = MEDIA_KINDS.find((one) => one === type);
    if (kind === undefined || mediaId === undefined || status !== "stored") return [];
    const file = { mediaId, kind, mimeType: mimeType ?? null, fileName: fileName ?? null };
    return [fileEvent(message, { ...file, size: size ?? 0, occurredAt: at.toISOString() })];
  });

/** `message.status`. `previousStatus` is null for a message that was stored as failed. */
export function statusEvent(
  message: Facts,
  move: {
    readonly from: OutboundStatus | null;
    readonly to: OutboundStatus;
    readonly errorCode: string | null;
    readonly errorMessage: string | null;
    readonly at: Date;
  },
): NewEvent {
  const data = {
    ...factsOf(message),
    previousStatus: move.from,
    status: move.to,
    errorCode: move.errorCode,
    errorMessage: move.errorMessage,
    occurredAt: move.at.toISOString(),
  };
  return { workspaceId: message.workspaceId, type: "message.status", data };
}
