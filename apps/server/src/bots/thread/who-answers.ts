import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { conversationEvent } from "../../conversations/conversation.ts";
import {
  selectAnswered,
  writeAnswered,
  type AnsweredThread,
  type ThreadId,
} from "../../conversations/handler.ts";
import type { lockConversations } from "../../conversations/touch-conversations.ts";
import type { Queryable, Tx } from "../../db/database.ts";
import { changeDesk } from "../../desk/desk-change.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { BotKind } from "../../wire/words.ts";
import { lastAudit } from "../../workspaces/list-audit.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { insertRun, markReopened } from "./run-store.ts";
import {
  after,
  hasPersonSince,
  isTalk,
  selectNewest,
  selectNewestIds,
  type BotMessage,
} from "./talk-store.ts";

export { type BotMessage } from "./talk-store.ts";

/** The thread is not the bot's any more, or somebody wrote meanwhile: the answer must not be stored. */
export class Superseded extends Error {
  constructor(why: string) {
    super(`the bot's answer is superseded: ${why}`);
    this.name = "Superseded";
  }
}

/** What an answer was made of: who answered then, and the newest messages. */
export interface SeenThread {
  readonly version: number;
  /** The ids of the newest messages, at most 20 (`threadForBot`). */
  readonly seen: readonly string[];
  /** Messages that this transaction stored: they are not compared. */
  readonly own?: readonly string[];
}

/**
 * Throws Superseded unless the bot still answers the conversation as it did, and no message of the talk is newer than those
 * that the answer was made of. The conversation must be locked, as it is in `within` of `acceptMessage`: everybody who
 * writes in it, or takes it, has committed or waits.
 */
export async function compareThread(
  tx: Tx,
  workspaceId: string,
  conversationId: string,
  { version, seen, own = [] }: SeenThread,
): Promise<void> {
  const key = { workspaceId, conversationId };
  const [[thread], newest] = await Promise.all([
    selectAnswered(tx, [key]),
    selectNewestIds(tx, key, own),
  ]);
  if (thread?.handler !== "bot") throw new Superseded("somebody else answers");
  if (thread.version !== version) throw new Superseded("it was given to others meanwhile");
  const talk = after(newest, thread.since).filter(isTalk);
  const known = new Set(seen);
  // Of what was seen, messages of programs may have taken the place among the newest.
  if (talk.some(({ id }) => !known.has(id))) throw new Superseded("somebody wrote meanwhile");
}

/** A conversation as a bot reads it. */
export interface BotTalk {
  readonly version: number;
  readonly runId: string | null;
  readonly botId: string | null;
  /** Of those of `messages` that are part of the talk, for `compareThread`. */
  readonly ids: readonly string[];
  /** Of the newest 20 those since it was last resolved or given back, oldest first. */
  readonly messages: readonly BotMessage[];
}

/** The conversation as its bot reads it; null: no bot answers it. */
export async function threadForBot(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
): Promise<BotTalk | null> {
  const key = { workspaceId, conversationId };
  // Perhaps of two moments: `compareThread` looks at both again.
  const [[thread], newest] = await Promise.all([selectAnswered(db, [key]), selectNewest(db, key)]);
  if (thread?.handler !== "bot") return null;
  const messages = after(newest, thread.since);
  const { version, runId, botId } = thread;
  const ids = messages.filter(isTalk).map(({ id }) => id);
  return { version, runId, botId, ids, messages };
}

/** A customer who writes so soon after a bot resolved the conversation opens it again. */
const REOPENED_MS = 7 * 86_400_000;

type LockedConversation = Awaited<ReturnType<typeof lockConversations>>[number];

/** A bot that begins in a conversation. */
export interface BotStart extends ThreadId {
  readonly botId: string;
  readonly kind: BotKind;
  /** The published version. */
  readonly version: number;
  /** What was said until then is not of this run. */
  readonly since: Date;
  /** When it answers. */
  readonly dueAt: Date;
}

/**
 * Starts a bot in a conversation that no one handles: it is open, has no assignee, and no person wrote since it was last
 * resolved. Null: somebody handles it. `found` and `thread` are the conversation, which the caller has locked, and who
 * answers it.
 */
export async function beginBot(
  context: Pick<Context, "clock" | "ids" | "wake">,
  tx: Tx,
  found: LockedConversation,
  thread: AnsweredThread | undefined,
  { workspaceId, conversationId, botId, kind, version, since, dueAt }: BotStart,
): Promise<{ readonly runId: string } | null> {
  const key = { workspaceId, conversationId };
  if (found.status !== "open" || found.assigneeId !== null) return null;
  if (thread && thread.handler !== "nobody") return null;
  const now = context.clock.now();
  const by = { ...key, botId, since, handedReason: null };
  if (!thread && (await hasPersonSince(tx, key, since))) {
    // The next message need not ask again.
    await writeAnswered(tx, [{ ...by, botId: null, handler: "person", runId: null }], now);
    return null;
  }
  const runId = context.ids.next();
  tx.later(markReopened(tx, key, new Date(now.getTime() - REOPENED_MS), now));
  tx.later(insertRun(tx, { ...key, id: runId, botId, version, kind, at: now, dueAt }));
  tx.later(writeAnswered(tx, [{ ...by, handler: "bot", runId }], now));
  const actor: Actor = { kind: "bot", botId };
  const entry = { action: "conversation.bot_began", subject: conversationId } as const;
  tx.later(audit(actor, context, tx, workspaceId, entry));
  const { channelStatus: _, ...conversation } = found;
  const handler = { kind: "bot", botId } as const;
  await emitEvents(context, tx, [
    conversationEvent("conversation.updated", { ...conversation, handler }, actor),
  ]);
  changeDesk(tx, [{ conversation }]);
  tx.afterCommit(() => context.wake.nudge("runs"));
  return { runId };
}

/** When a conversation that no bot has met was last resolved: what was said until then does not count. */
export async function resolvedAt(tx: Tx, { workspaceId, conversationId }: ThreadId): Promise<Date> {
  const entry = await lastAudit(tx, workspaceId, conversationId, ["conversation.resolved"]);
  return entry?.createdAt ?? new Date(0);
}
