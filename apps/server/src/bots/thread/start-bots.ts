import type { Context } from "../../context.ts";
import { ownWordsFor } from "../../contacts/consent/own-words.ts";
import {
  claimDueThread,
  postponeDue,
  selectAnswered,
  selectDueThreads,
  type AnsweredThread,
  type DueThread,
  type ThreadId,
} from "../../conversations/handler.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import type { Tx } from "../../db/database.ts";
import { consentWordOf } from "../../messages/receive/consent-words.ts";
import { handOver } from "../hand-over/hand-over.ts";
import { guardTurn } from "../hand-over/loop-guards.ts";
import { botVersion, liveBotFor, type LiveBot } from "../record/live-bot.ts";
import { giveUpStart } from "./give-up-start.ts";
import { selectOpenRun, wakeRun } from "./run-store.ts";
import {
  after,
  countBotMessages,
  isOwnAccount,
  selectNewest,
  type BotMessage,
} from "./talk-store.ts";
import { beginBot, resolvedAt } from "./who-answers.ts";

/** A customer must be quiet for so long before an AI bot answers, unless its document says otherwise. */
const QUIET_MS = 2_000;
/** But it answers this long after the first message at the latest. */
const MOST_QUIET_MS = 8_000;
/** The pauses after looks that failed. After the last one people get the conversation: the customer has waited for a minute. */
const PAUSES_MS = [5_000, 15_000, 40_000] as const;
/** The pause after a try to give it to people that failed, too. */
const LONG_PAUSE_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
/** Conversations at once, each on a connection of its own: the others are left for those who answer. */
const AT_ONCE = 4;

/**
 * Looks at conversations in which a customer wrote and a live bot may answer, up to `limit`, each in a transaction of its
 * own: starts a bot where no one answers, or wakes the one that does. Gives how many there were.
 */
export async function startBots(context: Context, limit: number): Promise<number> {
  const due = await selectDueThreads(context.db, context.clock.now(), limit);
  for (let at = 0; at < due.length; at += AT_ONCE)
    await Promise.all(due.slice(at, at + AT_ONCE).map((key) => start(context, key)));
  return due.length;
}

async function start(context: Context, due: DueThread): Promise<void> {
  const { workspaceId, conversationId, tries } = due;
  const failed = (error: unknown, what: string) =>
    context.log.error({ workspaceId, conversationId, ...describeForLog(error) }, what);
  const later = (ms: number) =>
    postponeDue(context.db, due, new Date(context.clock.now().getTime() + ms));
  // A try to give it to people failed before: a bot that begins now would come too late.
  if (tries <= PAUSES_MS.length) {
    try {
      await context.db.transaction((tx) => startIn(context, tx, due));
      return;
    } catch (error) {
      failed(error, "a bot could not be started");
      const pause = PAUSES_MS[tries];
      if (pause !== undefined) return later(pause);
    }
  }
  try {
    await context.db.transaction((tx) => giveUpStart(context, tx, due));
  } catch (error) {
    failed(error, "a conversation whose bot does not start could not be given to people");
    await later(LONG_PAUSE_MS);
  }
}

async function startIn(context: Context, tx: Tx, key: ThreadId): Promise<void> {
  const { workspaceId, conversationId } = key;
  const [found] = await lockConversations(tx, [{ workspaceId, id: conversationId }]);
  if (!found) return;
  // Statements that do not wait for each other are sent together.
  const [claimed, [thread]] = await Promise.all([
    claimDueThread(tx, key),
    selectAnswered(tx, [key]),
  ]);
  if (claimed === null || thread?.handler === "person") return;
  const dayAgo = new Date(context.clock.now().getTime() - DAY_MS);
  const [{ since, messages }, own, today] = await Promise.all([
    talkOf(tx, key, thread),
    isOwnAccount(tx, found.channelType, found.externalId),
    countBotMessages(tx, key, dayAgo),
  ]);
  const last = messages.findLast(({ from }) => from === "customer");
  const begins = !thread || thread.handler === "nobody";
  const { channelId, channelType } = found;
  const asked = { channelId, channelType, text: last?.text ?? null };
  const [consentWord, bot] = await Promise.all([
    isConsentWord(tx, workspaceId, last),
    begins ? liveBotFor(context, tx, workspaceId, asked) : null,
  ]);
  const now = context.clock.now();
  const guarded = guardTurn({ now, channelType, own, consentWord, messages, today });
  if (guarded?.kind === "silent") {
    // The bot has the conversation and lets the customer wait: people do not.
    if (!begins && guarded.why === "late" && isNewest(last, messages))
      await handOver(context, tx, { ...key, reason: "stuck", summary: ARRIVED_LATE });
    return;
  }
  if (begins) {
    if (!bot) return;
    const { id: botId, kind, version } = bot;
    const dueAt = kind === "ai" ? quietUntil(bot, messages, now, now) : now;
    const start = { ...key, botId, kind, version, since, dueAt };
    if (!(await beginBot(context, tx, found, thread, start))) return;
  } else if (!guarded) await wake(context, tx, key, messages);
  if (guarded)
    await handOver(context, tx, { ...key, reason: guarded.reason, summary: guarded.why });
}

const ARRIVED_LATE = "the customer's message arrived more than ten minutes after it was written";

/** Whether no one wrote after a message that arrived late: else what was answered since is newer. */
const isNewest = (one: BotMessage | undefined, messages: readonly BotMessage[]): boolean =>
  one !== undefined && messages.every(({ writtenAt }) => writtenAt <= one.writtenAt);

/**
 * The newest messages since it was last resolved or given back, oldest first. The message that asks for a bot may have got
 * its time before that and its place after it: then the talk begins with it.
 */
async function talkOf(
  tx: Tx,
  key: ThreadId,
  thread: AnsweredThread | undefined,
): Promise<{ readonly since: Date; readonly messages: readonly BotMessage[] }> {
  const [since, newest] = await Promise.all([
    thread?.since ?? resolvedAt(tx, key),
    selectNewest(tx, key),
  ]);
  const messages = after(newest, since);
  if (messages.some(({ from }) => from === "customer")) return { since, messages };
  const last = newest.find(({ from }) => from === "customer");
  if (!last) return { since, messages };
  const before = new Date(last.at.getTime() - 1);
  return { since: before, messages: after(newest, before) };
}

/** Whether the customer's newest message is a stop or start word alone. */
async function isConsentWord(
  tx: Tx,
  workspaceId: string,
  last: BotMessage | undefined,
): Promise<boolean> {
  if (!last) return false;
  const own = await ownWordsFor(tx, [{ workspaceId, text: last.text }]);
  return consentWordOf(last, own.get(workspaceId)) !== null;
}

/** The run goes on: a flow at once, an AI bot when the customer is quiet. */
async function wake(
  context: Context,
  tx: Tx,
  { workspaceId, conversationId }: ThreadId,
  messages: readonly BotMessage[],
): Promise<void> {
  const run = await selectOpenRun(tx, workspaceId, conversationId);
  if (!run) return;
  const now = context.clock.now();
  const bot = run.kind === "ai" ? await botVersion(tx, workspaceId, run.botId, run.version) : null;
  const dueAt = bot ? quietUntil(bot, messages, run.askedAt ?? now, now) : now;
  await wakeRun(tx, workspaceId, conversationId, { askedAt: now, dueAt });
  tx.afterCommit(() => context.wake.nudge("runs"));
}

/** Until when an AI bot waits for more. Pure. */
export function quietUntil(
  { document }: Pick<LiveBot, "document">,
  messages: readonly Pick<BotMessage, "from" | "at">[],
  askedAt: Date,
  now: Date,
): Date {
  const given = document["quietMs"];
  const quietMs = typeof given === "number" ? given : QUIET_MS;
  const last = messages.findLast(({ from }) => from === "customer")?.at ?? now;
  const most = askedAt.getTime() + Math.max(MOST_QUIET_MS, quietMs);
  return new Date(Math.min(last.getTime() + quietMs, most));
}
