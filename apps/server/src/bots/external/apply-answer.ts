import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { replyRefusal } from "../../conversations/reply-window.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { acceptMessages } from "../../messages/accept/accept-message.ts";
import { countReplies } from "../../messages/send/count-replies.ts";
import type { BotTurnAnswer } from "../../wire/external-bot.ts";
import type { HandOverReason } from "../../wire/words.ts";
import { handOver } from "../hand-over/hand-over.ts";
import { finishRun } from "../thread/finish-run.ts";
import { moveRun, type BotRun, type RunClaim } from "../thread/run-store.ts";
import { compareThread, Superseded, type SeenThread } from "../thread/who-answers.ts";

/** A run of an external bot, as far as its answer needs it. */
export type TurnRun = RunClaim & Pick<BotRun, "botId" | "conversationId">;

/**
 * Stores what an external bot answered, in one transaction: its messages, its variables, its end or its hand-over. The
 * conversation must still be its own, with no newer message, and the turn not answered: else throws Superseded, and
 * nothing is stored. A channel or plan that takes no message hands the conversation over instead.
 */
export async function applyAnswer(
  context: Context,
  run: TurnRun,
  seen: SeenThread,
  answer: BotTurnAnswer,
): Promise<void> {
  const { workspaceId, conversationId } = run;
  try {
    await context.db.transaction(async (tx) => {
      const key = { workspaceId, id: conversationId };
      const [conversation] = await lockConversations(tx, [key]);
      if (!conversation) throw new Superseded("the conversation was deleted");
      await compareThread(tx, workspaceId, conversationId, seen);
      const sent = (await countReplies(tx, [conversation])).get(conversationId) ?? 0;
      const refusal = replyRefusal(conversation, sent, context.clock.now(), false);
      const refused = refusal !== null || conversation.channelStatus !== "connected";
      if (!(await moveOn(tx, run, answer))) throw new Superseded("the turn was answered already");
      if (answer.handOver || (refused && answer.messages?.length))
        await handOverBy(context, tx, run, answer, refused);
      else await sendMessages(context, tx, run, answer, conversation);
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The plan's messages are used up, or the workspace is suspended.
    await giveUp(context, run, "limit_reached", null);
  }
}

/** Hands the conversation of a run to people, in a transaction of its own, because the bot cannot go on. */
export async function giveUp(
  context: Context,
  { workspaceId, conversationId }: TurnRun,
  reason: HandOverReason,
  summary: string | null,
): Promise<void> {
  const given = { workspaceId, conversationId, reason, summary };
  await context.db.transaction((tx) => handOver(context, tx, given));
}

const moveOn = (tx: Tx, run: TurnRun, { messages, variables }: BotTurnAnswer) =>
  moveRun(tx, run, {
    state: "waiting",
    dueAt: null,
    askedAt: null,
    turns: messages?.length ? 1 : 0,
    ...(variables && { variables }),
  });

async function handOverBy(
  context: Context,
  tx: Tx,
  { workspaceId, conversationId }: TurnRun,
  { messages = [], handOver: given }: BotTurnAnswer,
  refused: boolean,
): Promise<void> {
  const words = messages.map(({ text }) => text).join("\n\n");
  await handOver(context, tx, {
    workspaceId,
    conversationId,
    reason: given ? (given.reason ?? "flow") : "limit_reached",
    summary: given?.summary ?? null,
    // What it says is its farewell. Without words the customer gets the text of the bot's document.
    ...(refused ? { text: null } : words !== "" && { text: words }),
  });
}

async function sendMessages(
  context: Context,
  tx: Tx,
  { workspaceId, conversationId, botId }: TurnRun,
  { messages = [], end }: BotTurnAnswer,
  conversation: Parameters<typeof finishRun>[2],
): Promise<void> {
  const actor: Actor = { kind: "bot", botId };
  const events = end ? await finishRun(context, tx, conversation) : [];
  const replies = messages.map((one) => ({ actor, workspaceId, conversationId, ...one }));
  const settled = await acceptMessages(context, tx, replies, events);
  for (const one of settled) if (!one.ok) throw one.error;
}
