import { actorName, type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { conversationEvent, type Conversation } from "../../conversations/conversation.ts";
import {
  selectAnswered,
  writeAnswered,
  type AnsweredThread,
  type ThreadId,
} from "../../conversations/handler.ts";
import { replyRefusal } from "../../conversations/reply-window.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { openAgain } from "../../conversations/open-again.ts";
import type { Tx } from "../../db/database.ts";
import { changeDesk } from "../../desk/desk-change.ts";
import { isOpen, nextOpening } from "../../hours/hours.ts";
import { readHours } from "../../hours/read-hours.ts";
import { insertWithin } from "../../inbox/write-note.ts";
import { acceptMessages } from "../../messages/accept/accept-message.ts";
import type { Message } from "../../messages/record/message.ts";
import { countReplies } from "../../messages/send/count-replies.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { findWorkspaces } from "../../workspaces/find-workspace.ts";
import { listMembers } from "../../workspaces/list-members.ts";
import { notifyMembers } from "../../workspaces/member-notice.ts";
import { audit } from "../../workspaces/write-audit.ts";
import type { HandOverReason } from "../../wire/words.ts";
import { botVersion, type LiveBot } from "../record/live-bot.ts";
import { endRuns, type BotRun } from "../thread/run-store.ts";
import { after, selectNewest } from "../thread/talk-store.ts";
import { customerText, localeOf, describeHandOver } from "./hand-over-words.ts";
import { finishedEvent } from "./run-events.ts";

/** A bot that gives a conversation to people. */
export interface HandOver extends ThreadId {
  readonly reason: HandOverReason;
  /** What the talk was about, for members. */
  readonly summary?: string | null;
  /** What the bot has asked for and got. */
  readonly collected?: Readonly<Record<string, unknown>>;
  /** Who had it handed over, where that was not the bot. */
  readonly by?: Actor;
  /** What the customer is sent. Absent: what the bot's document says; null: nothing. */
  readonly text?: string | null;
  /** A language model wrote that text, or a part of it. */
  readonly byModel?: boolean;
  /** The member who gets it; null: no one has it. Absent: it stays as it was. */
  readonly to?: string | null;
  /** The bot, where it has no run. */
  readonly bot?: LiveBot;
}

/**
 * The one road from a bot to people, in the caller's transaction: a person handles the conversation from now on, the run
 * ends, the conversation is open and waits, a note says why, members are notified, receivers get `bot.handed_over`,
 * `bot.finished` and `conversation.updated`, and the customer gets one text where the channel takes one. Gives that text, if there is one. Null: no
 * bot answers the conversation any more, and nothing was done. Call it before slots are reserved.
 */
export async function handOver(
  context: Context,
  tx: Tx,
  given: HandOver,
): Promise<readonly Message[] | null> {
  const { workspaceId, conversationId, reason } = given;
  const key = { workspaceId, conversationId };
  const [found] = await lockConversations(tx, [{ workspaceId, id: conversationId }]);
  const [thread] = await selectAnswered(tx, [key]);
  if (!found || thread?.handler !== "bot" || thread.botId === null) return null;
  const now = context.clock.now();
  const handler = { kind: "person", botId: thread.botId } as const;
  const next = { ...thread, handler: "person", handedReason: reason } as const;
  await writeAnswered(tx, [next], now);
  const run = await endRun(tx, thread, given, now);
  const version = run?.version ?? 0;
  const bot = given.bot ?? (await botVersion(tx, workspaceId, thread.botId, version));
  const { channelStatus: _, ...before } = found;
  const actor: Actor = { kind: "bot", botId: thread.botId };
  const conversation = await openFor(actor, context, tx, before, given);
  const facts = { reason, ...(given.by && { botId: thread.botId }) };
  const entry = { action: "conversation.bot_handed_over", subject: conversationId, facts } as const;
  await audit(given.by ?? actor, context, tx, workspaceId, entry);
  await writeNote(context, tx, actor, bot, given);
  await notify(context, tx, conversation, bot, given);
  const events: NewEvent[] = [
    conversationEvent("conversation.updated", { ...conversation, handler }, given.by ?? actor),
    {
      workspaceId,
      type: "bot.handed_over",
      data: {
        ...placeOf(conversation, thread.botId),
        reason,
        summary: given.summary ?? null,
        collected: run?.variables ?? given.collected ?? {},
        occurredAt: now.toISOString(),
      },
    },
    ...(run ? [finishedEvent(conversation, run)] : []),
  ];
  // Outside the reply window the platform takes no text: none is stored that fails.
  const text = (await takesNoText(context, tx, found))
    ? null
    : await textFor(context, tx, thread, bot, given);
  const { byModel = false } = given;
  const reply = { actor, workspaceId, conversationId, text, byModel, answers: false };
  // A refusal does not undo the hand-over: the events go alone.
  if (text === null) await emitEvents(context, tx, events);
  const accepted = text === null ? [] : await acceptMessages(context, tx, [reply], events);
  changeDesk(tx, [{ conversation, waiting: "customer", actedAt: now }]);
  return accepted.flatMap((one) => (one.ok ? [one.value] : []));
}

/** Whether a text to a locked conversation would be stored as failed: its window or channel takes none. */
export async function takesNoText(
  { clock }: Pick<Context, "clock">,
  tx: Tx,
  conversation: LockedConversation,
): Promise<boolean> {
  const replies = (await countReplies(tx, [conversation])).get(conversation.id) ?? 0;
  const refusal = replyRefusal(conversation, replies, clock.now());
  return refusal !== null || conversation.channelStatus !== "connected";
}

type LockedConversation = Awaited<ReturnType<typeof lockConversations>>[number];

/** Opens it and assigns it, as the flow says. A member who left meanwhile gets nothing: it waits. */
async function openFor(
  actor: Actor,
  context: Context,
  tx: Tx,
  before: Conversation,
  { to }: HandOver,
): Promise<Conversation> {
  if (to === undefined) return openAgain(tx, before);
  const { workspaceId, id: subject, assigneeId: from } = before;
  const members = to === null ? [] : await listMembers(tx, workspaceId);
  const known = members.some((one) => one.id === to && one.disabledAt === null);
  const opened = await openAgain(tx, before, known ? to : null);
  const facts = { from, to: opened.assigneeId };
  if (opened.assigneeId !== from)
    await audit(actor, context, tx, workspaceId, {
      action: "conversation.assigned",
      subject,
      facts,
    });
  return opened;
}

/** The members of an event that say where it happened. */
const placeOf = ({ id, contactId, channelId, channelType }: Conversation, botId: string) => ({
  conversationId: id,
  contactId,
  channelId,
  channelType,
  botId,
});

async function endRun(
  tx: Tx,
  { workspaceId, runId }: AnsweredThread,
  { reason, summary, collected }: HandOver,
  now: Date,
): Promise<BotRun | null> {
  if (runId === null) return null;
  const end = { workspaceId, id: runId, outcome: "handed_over", reason } as const;
  const [run] = await endRuns(
    tx,
    [{ ...end, summary: summary ?? null, ...(collected && { collected }) }],
    now,
  );
  return run ?? null;
}

async function writeNote(
  context: Context,
  tx: Tx,
  actor: Actor,
  bot: LiveBot | null,
  { workspaceId, conversationId, reason, summary = null, collected = {} }: HandOver,
): Promise<void> {
  const workspace = (await findWorkspaces(tx, [workspaceId])).get(workspaceId);
  const text = describeHandOver(workspace?.locale ?? "en", { reason, summary, collected });
  const by = { memberId: null, author: actorName(actor), authorName: bot?.name ?? null };
  await insertWithin(context, tx, workspaceId, conversationId, by, { text });
}

/** Notifies the assignee; without one every member who is there; when none is, every member. */
async function notify(
  context: Context,
  tx: Tx,
  { workspaceId, id, assigneeId }: Conversation,
  bot: LiveBot | null,
  { reason, to }: HandOver,
): Promise<void> {
  const members = (await listMembers(tx, workspaceId)).filter(
    (member) => member.disabledAt === null,
  );
  const online = members.filter((member) => member.availability === "online");
  // Who the flow names is notified wherever they are.
  const assigned = (to ? members : online).filter((member) => member.id === assigneeId);
  const there = online.length > 0 ? online : members;
  const notice = {
    kind: "handed_over",
    subject: bot?.name ?? "",
    body: "",
    ref: `/inbox/handed/${id}`,
    conversationId: id,
    facts: { reason },
  } as const;
  await notifyMembers(
    context,
    tx,
    workspaceId,
    (assigned.length > 0 ? assigned : there).map(({ id: memberId }) => ({ ...notice, memberId })),
  );
}

async function textFor(
  context: Pick<Context, "clock">,
  tx: Tx,
  { workspaceId, conversationId, since }: AnsweredThread,
  bot: LiveBot | null,
  { text }: HandOver,
): Promise<string | null> {
  if (text !== undefined) return text;
  const messages = after(await selectNewest(tx, { workspaceId, conversationId }), since);
  const locale = localeOf(messages);
  const hours = await readHours(tx, workspaceId);
  const now = context.clock.now().getTime();
  const closed = isOpen(hours, now) ? null : { zone: hours.zone, opensAt: nextOpening(hours, now) };
  return customerText(bot?.document["handOver"], locale, closed);
}
