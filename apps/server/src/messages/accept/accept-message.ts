import { write } from "../../write.ts";
import { actorName, isPerson, type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { TemplateContent } from "../../channels/adapter.ts";
import { adapterFor } from "../../channels/registry.ts";
import type { Conversation } from "../../conversations/conversation.ts";
import { publishThreadChanges } from "../record/thread-store.ts";
import { replyRefusal } from "../../conversations/reply-window.ts";
import { lockConversations, recordOutbound } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import { changeDesk, previewOf, type DeskChange } from "../../desk/desk-change.ts";
import { AppError, invalid } from "../../errors.ts";
import type { Settled } from "../../lib/group-commit.ts";
import { isId } from "../../lib/ids.ts";
import {
  retainAttachments,
  lockWanted,
  presentAttachments,
  readAttachments,
} from "../../media/attach-uploads.ts";
import type { Media } from "../../media/media.ts";
import { countMessages } from "../../usage/count-messages.ts";
import { reserveSlots, type Reservation } from "../../usage/reserve-slots.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { countReplies } from "../send/count-replies.ts";
import { OUTBOUND } from "../record/insert-messages.ts";
import { messageEvent, statusEvent, sourceOf, type Message } from "../record/message.ts";
import { CHANNEL_DISCONNECTED, CHANNEL_ERROR } from "../record/message-status.ts";
import { insertRows } from "../record/message-store.ts";

export interface NewReply {
  readonly conversationId: string;
  /** 1 to 4,096 characters; null only beside attachments. */
  readonly text: string | null;
  /** Uploads (`uploadMedia`), at most ten; each goes with one message. */
  readonly attachments?: readonly string[];
  /** What goes in place of the text, which then is what the thread shows of it. The reply window does not hold it. */
  readonly template?: TemplateContent;
}

/**
 * Takes in a reply inside an existing conversation (spec, POST /v1/messages). It takes its slot, is stored `sent`
 * and waits in the outbox for dispatch, all in one transaction. It is stored `failed` instead, with its slot spent,
 * and is never handed over, when the reply window is closed (131047), the window holds no more replies
 * (`REPLY_LIMIT_REACHED`) or the channel cannot send (`CHANNEL_DISCONNECTED`, `CHANNEL_ERROR`). An opt-out does not
 * stop a reply: it ends campaigns, while a reply answers somebody who wrote. A platform's own block still fails the
 * send. Files go when the channel takes their kind, type and size; otherwise the reply is refused naming the
 * attachment, and nothing is stored. Errors: VALIDATION_FAILED; SUBSCRIPTION_SUSPENDED and MESSAGE_LIMIT_REACHED
 * with `limit` and `usage`; CONVERSATION_NOT_FOUND. `within` runs in the reply's own transaction, before commit.
 */
export const acceptMessage = write(
  "message.send",
  async (
    actor,
    context: Context,
    workspaceId: string,
    input: NewReply,
    options: { readonly within?: (tx: Tx, message: Message) => Promise<void> } = {},
  ): Promise<Message> => {
    const length = Array.from(input.text ?? "").length;
    const least = input.attachments?.length && input.text === null ? 0 : 1;
    if (length < least || length > 4096) throw invalid("text", "must be 1 to 4096 characters");
    const item = { actor, workspaceId, ...input };
    const { within } = options;
    if (!within) return context.groupCommit.submit(acceptMessages, item);
    return context.db.transaction(async (tx) => {
      const [settled] = await acceptMessages(context, tx, [item]);
      if (!settled) throw new Error("no answer for the reply");
      if (!settled.ok) throw settled.error;
      await within(tx, settled.value);
      return settled.value;
    });
  },
);

interface AuthoredReply extends NewReply {
  readonly actor: Actor;
  readonly workspaceId: string;
}

/** The same for replies that arrived together: six statements whatever their number, seven with TikTok among them. */
export async function acceptMessages(
  context: Context,
  tx: Tx,
  items: readonly AuthoredReply[],
): Promise<Settled<Message>[]> {
  const wanted = items
    .filter((item) => isId(item.conversationId))
    .map((item) => ({ workspaceId: item.workspaceId, id: item.conversationId }));
  const found = await lockConversations(tx, wanted);
  const conversations = new Map(found.map((row) => [keyOf(row.workspaceId, row.id), row]));
  const sent = await countReplies(tx, found);
  const files = await readFiles(context, tx, items, conversations);
  const reservations = await reserveSlots(
    context,
    tx,
    items.map(({ workspaceId, conversationId }, index) => ({
      workspaceId,
      count:
        conversations.has(keyOf(workspaceId, conversationId)) && files[index]?.ok !== false ? 1 : 0,
    })),
  );
  const left = new Map([...reservations].map(([id, { granted }]) => [id, granted]));
  const now = context.clock.now();
  const events: NewEvent[] = [];
  const messages: Message[] = [];
  const carried: { id: string; media: readonly Media[] }[] = [];
  const answers = items.map((item, index): Settled<Message> => {
    const { actor, workspaceId } = item;
    const author = actorName(actor);
    const conversation = conversations.get(keyOf(workspaceId, item.conversationId));
    const attached = files[index];
    if (attached?.ok === false) return attached;
    const slots = left.get(workspaceId) ?? 0;
    const refusal = refusalOf(reservations.get(workspaceId), conversation, slots);
    if (refusal || !conversation) {
      return { ok: false, error: refusal ?? new AppError("CONVERSATION_NOT_FOUND") };
    }
    left.set(workspaceId, slots - 1);
    const before = sent.get(conversation.id) ?? 0;
    const template = item.template ?? null;
    const failure = template
      ? channelFailure(conversation)
      : failureOf(conversation, before, now, isPerson(author));
    if (!failure) sent.set(conversation.id, before + 1);
    const message: Message = {
      ...OUTBOUND,
      workspaceId,
      id: context.ids.next(),
      conversationId: conversation.id,
      contactId: conversation.contactId,
      channelId: conversation.channelId,
      channelType: conversation.channelType,
      type: template ? "template" : (attached?.media[0]?.kind ?? "text"),
      text: item.text,
      template,
      ...(attached && { attachments: presentAttachments(context, attached.media) }),
      source: sourceOf(actor),
      author,
      createdAt: now,
      ...(failure && { status: "failed", errorCode: failure.code, errorMessage: failure.message }),
    };
    messages.push(message);
    if (attached) carried.push({ id: message.id, media: attached.media });
    events.push(messageEvent(message));
    if (failure) {
      const { code: errorCode, message: errorMessage } = failure;
      events.push(
        statusEvent(message, { from: null, to: "failed", errorCode, errorMessage, at: now }),
      );
    }
    return { ok: true, value: message };
  });
  for (const reservation of reservations.values()) events.push(...reservation.events);
  if (messages.length > 0) {
    tx.later(insertRows(tx, messages, now));
    await retainAttachments(tx, carried);
    await recordOutbound(tx, [...conversations.values()].filter(isUsed(messages)), now);
    await countMessages(
      tx,
      messages.map(({ workspaceId, channelId, status }) => ({
        workspaceId,
        channelId,
        at: now,
        [status === "failed" ? "failed" : "sent"]: 1,
      })),
    );
    // One that is born failed goes nowhere, so a visitor does not see it either.
    tx.later(
      publishThreadChanges(
        context,
        tx,
        messages.filter(({ status }) => status !== "failed"),
      ),
    );
    tx.afterCommit(() => context.wake.nudge("messages"));
  }
  await emitEvents(context, tx, events);
  changeDesk(tx, deskReplies(conversations, messages, now));
  return answers;
}

const keyOf = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

/** What people's replies do to the inbox, the last one of each conversation. Those of programs write no row of it. */
function deskReplies(
  conversations: ReadonlyMap<string, Conversation>,
  messages: readonly Message[],
  now: Date,
): DeskChange[] {
  const last = new Map<string, DeskChange>();
  for (const message of messages) {
    if (message.source !== "dashboard") continue;
    const key = keyOf(message.workspaceId, message.conversationId ?? "");
    const conversation = conversations.get(key);
    if (!conversation) continue;
    const failed = message.status === "failed";
    last.set(key, {
      conversation,
      actedAt: now,
      // One that was born failed answers nobody.
      ...(!failed && { waiting: "nobody" }),
      failed,
      said: {
        id: message.id,
        kind: message.type,
        preview: previewOf(message.text),
        side: "us",
      },
    });
  }
  return [...last.values()];
}

/** The files of each reply that wants some, or why it cannot have them; undefined where there are none. */
async function readFiles(
  context: Context,
  tx: Tx,
  items: readonly AuthoredReply[],
  conversations: ReadonlyMap<string, Conversation>,
): Promise<(ReturnType<typeof readAttachments> | undefined)[]> {
  const wants = items.map(({ workspaceId, attachments: ids = [] }) => ({ workspaceId, ids }));
  const found = await lockWanted(tx, wants);
  return wants.map((want, index) => {
    const { conversationId = "" } = items[index] ?? {};
    const conversation = conversations.get(keyOf(want.workspaceId, conversationId));
    if (want.ids.length === 0 || !conversation) return undefined;
    const rules = adapterFor(conversation.channelType)?.media;
    const read = readAttachments(context, want, found, rules);
    if (!read.ok) return read;
    // Two replies of one batch cannot have the same file either.
    for (const { id } of read.media) found.delete(keyOf(want.workspaceId, id));
    return read;
  });
}

/** Contract §5, order of checks: what stands in the way of every reply (402) comes before the one conversation. */
function refusalOf(
  reservation: Reservation | undefined,
  conversation: Conversation | undefined,
  slots: number,
): AppError | null {
  const { suspended = false, used = 0, limit = 0 } = reservation ?? {};
  // Suspended on an unlimited plan: the limit in force is that nothing may go.
  if (suspended) {
    return new AppError("SUBSCRIPTION_SUSPENDED", { limit: limit ?? 0, usage: used });
  }
  const spent = conversation ? slots < 1 : limit !== null && used >= limit;
  return spent ? new AppError("MESSAGE_LIMIT_REACHED", { limit: limit ?? 0, usage: used }) : null;
}

/** Why a reply is born failed, or null. */
function failureOf(
  conversation: Conversation & { readonly channelStatus: string },
  sent: number,
  now: Date,
  byPerson: boolean,
): { readonly code: string; readonly message: string } | null {
  return replyRefusal(conversation, sent, now, byPerson) ?? channelFailure(conversation);
}

/** Why nothing can be sent on the conversation's channel, or null. */
function channelFailure(conversation: {
  readonly channelStatus: string;
}): { readonly code: string; readonly message: string } | null {
  if (conversation.channelStatus === "disconnected")
    return { code: CHANNEL_DISCONNECTED, message: "The channel is not connected any more." };
  if (conversation.channelStatus === "error")
    return { code: CHANNEL_ERROR, message: "The platform refuses the channel's account." };
  return null;
}

function isUsed(messages: readonly Message[]): (conversation: Conversation) => boolean {
  const ids = new Set(messages.map((message) => message.conversationId));
  return (conversation) => ids.has(conversation.id);
}
