import { storeAnswersOf } from "../../api-keys/kept-answers.ts";
import { write } from "../../write.ts";
import { actorName, isPerson, type Actor } from "../../actor.ts";
import type { Context, HandlerChange } from "../../context.ts";
import type { TemplateContent } from "../../channels/adapter.ts";
import type { Choice } from "../../channels/choices.ts";
import { adapterFor } from "../../channels/registry.ts";
import { conversationEvent, type Conversation } from "../../conversations/conversation.ts";
import { changeHandlers } from "../../conversations/handler.ts";
import { publishThreadChanges } from "../record/thread-store.ts";
import { optedOutAddressees } from "../../contacts/consent/opted-out-numbers.ts";
import { replyRefusal } from "../../conversations/reply-window.ts";
import { lockConversations, recordOutbound } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import { changeDesk, previewOf, writerOf, type DeskChange } from "../../desk/desk-change.ts";
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
import { checkChoices, choicesAttachment } from "../record/choices.ts";
import { readQuotes, type ReadQuote } from "./read-quotes.ts";
import { countReplies } from "../send/count-replies.ts";
import { OUTBOUND } from "../record/insert-messages.ts";
import { messageEvent, statusEvent, sourceOf, type Message } from "../record/message.ts";
import { CHANNEL_DISCONNECTED, CHANNEL_ERROR } from "../record/message-status.ts";
import { insertRows, type IntoOutbox } from "../record/message-store.ts";
import { findWorkspaces } from "../../workspaces/find-workspace.ts";

export interface NewReply {
  readonly conversationId: string;
  /** 1 to 4,096 characters; null only beside attachments. */
  readonly text: string | null;
  /** Uploads (`uploadMedia`), at most ten; each goes with one message. */
  readonly attachments?: readonly string[];
  /**
   * The template that is sent in place of the text. The thread then shows `text`. It may go outside the reply window.
   */
  readonly template?: TemplateContent;
  /** Answers that are offered, as buttons where the channel has them, else as numbered lines. Only beside a text. */
  readonly choices?: readonly Choice[];
  /** The message of this conversation that it quotes, where the channel has quotes. Not beside a template. */
  readonly replyTo?: string;
  /** False: a program's message after which the customer goes on waiting. What a person sends always answers. */
  readonly answers?: boolean;
  /** A language model wrote the text, or a part of it. Only of a bot. */
  readonly byModel?: boolean;
  /** Of the template. Without one the template counts as marketing. */
  readonly category?: string | null;
}

/**
 * Takes in a reply in an existing conversation (spec, POST /v1/messages). In one transaction the reply takes its slot,
 * is stored as `sent`, and is put in the outbox.
 * In three cases the reply is stored as `failed`: the reply window is closed (131047), the window allows no more
 * replies (`REPLY_LIMIT_REACHED`), or the channel cannot send (`CHANNEL_DISCONNECTED`, `CHANNEL_ERROR`). Such a reply
 * spends its slot and is never handed over. An opt-out does not stop a reply, which answers somebody who wrote, nor a
 * template of the categories UTILITY and AUTHENTICATION. Every other template is refused (CONTACT_OPTED_OUT). A block by
 * the platform itself still fails the send.
 * `replyTo` names a message of the conversation that the platform has; a channel without quotes refuses it
 * (NOT_SUPPORTED_HERE).
 * A file goes when the channel takes its kind, type and size. Otherwise the reply is refused, the error names the
 * attachment, and nothing is stored. Errors: VALIDATION_FAILED; SUBSCRIPTION_SUSPENDED and MESSAGE_LIMIT_REACHED with
 * `limit` and `usage`; CONVERSATION_NOT_FOUND; CONTACT_OPTED_OUT. `open` runs in the reply's
 * transaction first and gives the conversation: a refused first message leaves none behind.
 */
export const acceptMessage = write(
  "message.send",
  async (
    actor,
    context: Context,
    workspaceId: string,
    input: NewReply,
    options: AcceptOptions = {},
  ): Promise<Message> => {
    const length = Array.from(input.text ?? "").length;
    const least = input.attachments?.length && input.text === null ? 0 : 1;
    if (length < least || length > 4096) throw invalid("text", "must be 1 to 4096 characters");
    if (input.choices) checkChoices(input.choices);
    const item = { actor, workspaceId, ...input };
    const { within, open, keep } = options;
    if (!within && !open) return context.groupCommit.submit(acceptEach, { item, keep });
    return context.db.transaction(async (tx) => {
      const { conversationId, events }: OpenedThread = open ? await open(tx) : input;
      const [settled] = await acceptMessages(context, tx, [{ ...item, conversationId }], events);
      if (!settled) throw new Error("no answer for the reply");
      if (!settled.ok) throw settled.error;
      await within?.(tx, settled.value);
      return settled.value;
    });
  },
);

/** Accepts the replies of calls that arrived together, and keeps the answer of each under its caller's key. */
async function acceptEach(
  context: Context,
  tx: Tx,
  calls: readonly { readonly item: AuthoredReply; readonly keep: AcceptOptions["keep"] }[],
): Promise<Settled<Message>[]> {
  const settled = await acceptMessages(
    context,
    tx,
    calls.map(({ item }) => item),
  );
  return storeAnswersOf(tx, calls, settled);
}

export interface AcceptOptions {
  /** Stores the caller's answer in the transaction of the reply, which other calls share. */
  readonly keep?: ((tx: Tx, message: Message) => Promise<void>) | undefined;
  /** What it throws undoes the reply. It may do anything, so the transaction is the reply's own. */
  readonly within?: (tx: Tx, message: Message) => Promise<void>;
  readonly open?: ((tx: Tx) => Promise<OpenedThread>) | undefined;
}

/** A conversation that was opened for a message, with the events that go before the message's own. */
export interface OpenedThread {
  readonly conversationId: string;
  readonly events?: readonly NewEvent[];
}

interface AuthoredReply extends NewReply {
  readonly actor: Actor;
  readonly workspaceId: string;
}

/**
 * Does the work of `acceptMessage` for replies that arrived together: six statements for any number, one more with
 * TikTok or a quote among them, and two more with marketing templates. `earlier`: events of the same transaction, which
 * go first. `afterReplies`: they are sent when no other message is due.
 */
export async function acceptMessages(
  context: Context,
  tx: Tx,
  items: readonly AuthoredReply[],
  earlier: readonly NewEvent[] = [],
  afterReplies = false,
): Promise<Settled<Message>[]> {
  const wanted = items
    .filter((item) => isId(item.conversationId))
    .map((item) => ({ workspaceId: item.workspaceId, id: item.conversationId }));
  // Sent together: the workspaces are read when the conversations are locked.
  const [found, workspaces] = await Promise.all([
    lockConversations(tx, wanted),
    findWorkspaces(tx, [...new Set(items.map(({ workspaceId }) => workspaceId))]),
  ]);
  const conversations = new Map(found.map((row) => [keyOf(row.workspaceId, row.id), row]));
  const sent = await countReplies(tx, found);
  const handlers = await changeHandlers(context, tx, byPersons(items, conversations));
  const files = await readFiles(context, tx, items, conversations);
  const threadOf = ({ workspaceId, conversationId }: AuthoredReply) =>
    conversations.get(keyOf(workspaceId, conversationId));
  const quotes = await readQuotes(tx, items, threadOf);
  const unwanted = await readUnwanted(context, tx, items, conversations);
  const now = context.clock.now();
  const reservations = await reserveSlots(
    tx,
    now,
    items.map((item, index) => {
      const fits = files[index]?.ok !== false && quotes[index]?.ok !== false;
      const stored = threadOf(item) && fits && !unwanted.has(item);
      return { workspaceId: item.workspaceId, count: stored ? 1 : 0 };
    }),
    workspaces,
  );
  const left = new Map([...reservations].map(([id, { granted }]) => [id, granted]));
  const events: NewEvent[] = [...earlier];
  const messages: Message[] = [];
  const carried: Carried[] = [];
  const answers = items.map((item, index): Settled<Message> => {
    const { actor, workspaceId } = item;
    const conversation = threadOf(item);
    const attached = files[index];
    const quote = quotes[index];
    if (attached?.ok === false) return attached;
    if (quote?.ok === false) return quote;
    if (unwanted.has(item))
      return { ok: false, error: new AppError("CONTACT_OPTED_OUT", OPTED_OUT) };
    const slots = left.get(workspaceId) ?? 0;
    const refusal = refusalOf(reservations.get(workspaceId), conversation, slots);
    if (refusal || !conversation) {
      return { ok: false, error: refusal ?? new AppError("CONVERSATION_NOT_FOUND") };
    }
    left.set(workspaceId, slots - 1);
    const before = sent.get(conversation.id) ?? 0;
    const failure = item.template
      ? channelFailure(conversation)
      : failureOf(conversation, before, now, isPerson(actorName(actor)));
    if (!failure) sent.set(conversation.id, before + 1);
    const message: Message = {
      ...messageOf(context, item, conversation, attached?.media ?? [], quote, now),
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
  const taken = [...conversations.values()].flatMap((conversation) => {
    const handler = handlers.changed.get(conversation.id);
    return handler ? [{ ...conversation, handler }] : [];
  });
  for (const conversation of taken) {
    const reply = items.find(
      (item) => item.conversationId === conversation.id && isPerson(actorName(item.actor)),
    );
    events.push(conversationEvent("conversation.updated", conversation, reply?.actor));
  }
  if (messages.length > 0) {
    await storeReplies(context, tx, messages, carried, [...conversations.values()], {
      at: now,
      afterReplies,
    });
  }
  events.push(...(await handlers.settle()));
  await emitEvents(context, tx, events);
  const replied = deskReplies(conversations, messages, now);
  const shown = new Set(replied.map(({ conversation }) => conversation.id));
  const refused = taken.filter(({ id }) => !shown.has(id));
  changeDesk(tx, [...replied, ...refused.map((conversation) => ({ conversation }))]);
  return answers;
}

interface Carried {
  readonly id: string;
  readonly media: readonly Media[];
}

/** The reply as it is stored, before anything is known of its channel. */
function messageOf(
  context: Context,
  { actor, ...item }: AuthoredReply,
  conversation: Conversation,
  media: readonly Media[],
  quote: Extract<ReadQuote, { ok: true }> | undefined,
  now: Date,
): Message {
  const { text, template = null, choices } = item;
  return {
    ...OUTBOUND,
    workspaceId: item.workspaceId,
    id: context.ids.next(),
    conversationId: conversation.id,
    contactId: conversation.contactId,
    channelId: conversation.channelId,
    channelType: conversation.channelType,
    type: template ? "template" : (media[0]?.kind ?? "text"),
    text,
    template,
    ...((media.length > 0 || choices || quote) && {
      attachments: [
        ...(quote ? [quote.attachment] : []),
        ...presentAttachments(context, media),
        ...(choices ? [choicesAttachment(choices)] : []),
      ],
    }),
    source: sourceOf(actor),
    answers: item.answers !== false || sourceOf(actor) === "dashboard",
    author: actorName(actor),
    ...(actor.kind === "bot" && { byModel: item.byModel === true }),
    createdAt: now,
  };
}

/** Stores replies with their files and outbox rows, and counts them. */
async function storeReplies(
  context: Context,
  tx: Tx,
  messages: readonly Message[],
  carried: readonly Carried[],
  conversations: readonly Conversation[],
  outbox: IntoOutbox,
): Promise<void> {
  const { at } = outbox;
  tx.later(insertRows(tx, messages, outbox));
  await retainAttachments(tx, carried);
  await recordOutbound(tx, conversations.filter(isUsed(messages)), at);
  await countMessages(
    tx,
    messages.map(({ workspaceId, channelId, status }) => ({
      workspaceId,
      channelId,
      at,
      [status === "failed" ? "failed" : "sent"]: 1,
    })),
  );
  // A reply that is stored as failed goes nowhere, so a visitor does not see it either.
  const sent = messages.filter(({ status }) => status !== "failed");
  tx.later(publishThreadChanges(context, tx, sent));
  tx.afterCommit(() => context.wake.nudge("messages"));
}

/** The conversations that people write in: from now on a person answers them. What programs and bots write changes nothing. */
function byPersons(
  items: readonly AuthoredReply[],
  conversations: ReadonlyMap<string, Conversation>,
): HandlerChange[] {
  const changes = new Map<string, HandlerChange>();
  for (const { actor, workspaceId, conversationId } of items) {
    const conversation = conversations.get(keyOf(workspaceId, conversationId));
    const by = actorName(actor);
    if (!conversation || !isPerson(by) || changes.has(conversation.id)) continue;
    changes.set(conversation.id, { ...conversation, conversationId, to: "person", by });
  }
  return [...changes.values()];
}

const keyOf = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

/**
 * What replies of people change in the inbox, one change per conversation: its last reply. Replies of programs write no
 * row here.
 */
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
      // A reply that was stored as failed answers nobody.
      ...(!failed && { waiting: "nobody", answered: true }),
      failed,
      said: {
        id: message.id,
        kind: message.type,
        preview: previewOf(message.text),
        side: "us",
        by: writerOf(message.source, message.author),
      },
    });
  }
  return [...last.values()];
}

/** The files of each reply, or the refusal of one of them; undefined for a reply without files. */
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
    // Two replies of one batch cannot carry the same file.
    for (const { id } of read.media) found.delete(keyOf(want.workspaceId, id));
    return read;
  });
}

const OPTED_OUT = {
  explanation: "the customer opted out: only UTILITY and AUTHENTICATION templates may go to them",
} as const;
const WANTED_BY_ALL: ReadonlySet<string | null> = new Set(["UTILITY", "AUTHENTICATION"]);

/** Templates that count as marketing, to people who opted out or at numbers that did. */
async function readUnwanted(
  context: Context,
  tx: Tx,
  items: readonly AuthoredReply[],
  conversations: ReadonlyMap<string, Conversation>,
): Promise<ReadonlySet<AuthoredReply>> {
  const marketing = items.flatMap((item) => {
    const to = conversations.get(keyOf(item.workspaceId, item.conversationId));
    const wanted = !item.template || WANTED_BY_ALL.has(item.category?.toUpperCase() ?? null);
    return to && !wanted ? [{ item, to }] : [];
  });
  const out = await optedOutAddressees(
    context,
    tx,
    marketing.map(({ to: { workspaceId, contactId, externalId } }) => ({
      workspaceId,
      contactId,
      phone: externalId,
    })),
  );
  return new Set(marketing.flatMap(({ item }, index) => (out.has(index) ? [item] : [])));
}

/**
 * Refuses the reply, or gives null. What stops every reply (402) is checked before this conversation (contract §5,
 * order of checks).
 */
function refusalOf(
  reservation: Reservation | undefined,
  conversation: Conversation | undefined,
  slots: number,
): AppError | null {
  const { suspended = false, used = 0, limit = 0 } = reservation ?? {};
  // On an unlimited plan the limit is null. A suspended workspace may send nothing, so its limit is shown as 0.
  if (suspended) {
    return new AppError("SUBSCRIPTION_SUSPENDED", { limit: limit ?? 0, usage: used });
  }
  const spent = conversation ? slots < 1 : limit !== null && used >= limit;
  return spent ? new AppError("MESSAGE_LIMIT_REACHED", { limit: limit ?? 0, usage: used }) : null;
}

/** Why a reply is stored as failed, or null. */
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
