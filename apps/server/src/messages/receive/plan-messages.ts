import type { InboundContent } from "../../channels/adapter.ts";
import type { Context, InboundMessage } from "../../context.ts";
import type { Conversation } from "../../conversations/conversation.ts";
import { windowEnd } from "../../conversations/reply-window.ts";
import type { InboundMark } from "../../conversations/touch-conversations.ts";
import { planInbound } from "../../media/attach-inbound.ts";
import { attachedMedia } from "../../media/media.ts";
import type { Message } from "../record/message.ts";
import type { OwnWords } from "../../contacts/consent/stop-words.ts";
import { consentWordOf } from "./consent-words.ts";
import { withChanges, type MessageEdit } from "./early-change-store.ts";
import { cleanContent, saysNothing } from "./inbound-content.ts";
import type { ReceivedMessage } from "./receive-messages.ts";

/** A message that came in, its conversation, and what was read for it. */
export interface PlaceableMessage {
  readonly item: ReceivedMessage;
  readonly conversation: Conversation;
  /** The attachments of the content. Their references name messages as we stored them. */
  readonly attachments: InboundContent["attachments"];
  /** Edits and withdrawals that came before the message. */
  readonly changes: readonly MessageEdit[] | undefined;
}

/** All rows that a batch of customers' messages writes. */
interface MessagesPlan {
  readonly messages: Message[];
  readonly files: ReturnType<typeof planInbound>["rows"];
  /** One per conversation. */
  readonly marks: InboundMark[];
  /** Files that visitors of web chat uploaded before their message. They belong to the message from now on. */
  readonly uploads: { readonly id: string; readonly media: Upload[] }[];
  /**
   * The messages that followers hear of. A lone stop or start word and a reaction that was taken back are no answer.
   */
  readonly answers: InboundMessage[];
}

interface Upload {
  readonly workspaceId: string;
  readonly id: string;
  readonly kind: string;
}

/** Plans the rows of a batch, in the order given. Reads and writes nothing. */
export function planMessages(
  context: Context,
  batch: readonly PlaceableMessage[],
  ownWords: ReadonlyMap<string, OwnWords>,
  now: Date,
): MessagesPlan {
  const plan: MessagesPlan = {
    messages: [],
    files: [],
    marks: marksOf(batch, now),
    uploads: [],
    answers: [],
  };
  for (const one of batch) {
    const stored = withChanges(messageOf(context.ids.next(), one, now), one.changes);
    const media = stored.type === "deleted" ? undefined : one.item.event.content.media;
    const { workspaceId, channelId } = one.item.account;
    const owner = { workspaceId, id: stored.id, channelId };
    const { attachments, rows } = planInbound(context, owner, stored.attachments, media);
    const message = { ...stored, attachments };
    plan.messages.push(message);
    plan.files.push(...rows);
    plan.uploads.push(...uploadsOf(message));
    const said = notAfter(one.item.event.occurredAt, now);
    plan.answers.push(...answersOf(message, ownWords.get(message.workspaceId), said));
  }
  return plan;
}

/** The earlier of both times. A platform's clock may be ahead of ours, and nothing that it tells lies in the future. */
export const notAfter = (at: Date, now: Date): Date => (at > now ? now : at);

function messageOf(
  id: string,
  { item: { account, event }, conversation, attachments }: PlaceableMessage,
  now: Date,
): Message {
  return {
    workspaceId: account.workspaceId,
    id,
    conversationId: conversation.id,
    contactId: conversation.contactId,
    channelId: account.channelId,
    channelType: account.channelType,
    direction: "inbound",
    ...cleanContent({ ...event.content, attachments }),
    template: null,
    status: "received",
    errorCode: null,
    errorMessage: null,
    source: "channel",
    author: null,
    providerMessageId: event.externalMessageId,
    broadcastId: null,
    createdAt: now,
    sentAt: event.occurredAt,
    deliveredAt: null,
    readAt: null,
  };
}

function uploadsOf({ workspaceId, id, channelType, attachments }: Message) {
  if (channelType !== "WEB") return [];
  const media = attachedMedia(attachments).map(({ mediaId, kind }) => ({
    workspaceId,
    id: mediaId,
    kind,
  }));
  return media.length > 0 ? [{ id, media }] : [];
}

function answersOf(message: Message, own: OwnWords | undefined, at: Date): InboundMessage[] {
  const { workspaceId, contactId, channelId, id: messageId } = message;
  if (contactId === null || channelId === null || saysNothing(message)) return [];
  if (consentWordOf(message, own) !== null) return [];
  return [{ workspaceId, contactId, channelId, messageId, at }];
}

function marksOf(batch: readonly PlaceableMessage[], now: Date): InboundMark[] {
  const marks = new Map<string, InboundMark>();
  for (const { item, conversation } of batch) {
    const { account, event } = item;
    const before = marks.get(conversation.id);
    const at = notAfter(event.occurredAt, now);
    const end = event.opensWindow ? windowEnd(account.channelType, event.occurredAt, now) : null;
    marks.set(conversation.id, {
      workspaceId: account.workspaceId,
      id: conversation.id,
      count: (before?.count ?? 0) + (saysNothing(event.content) ? 0 : 1),
      externalId: event.threadId ?? event.from.externalId,
      lastAt: later(before?.lastAt ?? null, at) ?? at,
      windowEnd: later(before?.windowEnd ?? null, end),
    });
  }
  return [...marks.values()];
}

function later(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
