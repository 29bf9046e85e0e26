import type { Context } from "../../context.ts";
import {
  claimDueThread,
  selectAnswered,
  writeAnswered,
  type ThreadId,
} from "../../conversations/handler.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import { handOver } from "../hand-over/hand-over.ts";
import { liveBotFor } from "../record/live-bot.ts";
import { hasPersonSince, selectNewest } from "./talk-store.ts";
import { resolvedAt } from "./who-answers.ts";

const NOT_STARTED = "the bot could not be started, although it was tried several times";

/**
 * A bot that should begin or go on in a conversation cannot be started: people get the conversation, with the reason `stuck`. It
 * makes no run and asks no guard, because one of these may be what fails. Nothing is done where no bot would have begun.
 */
export async function giveUpStart(context: Context, tx: Tx, key: ThreadId): Promise<void> {
  const { workspaceId, conversationId } = key;
  const [found] = await lockConversations(tx, [{ workspaceId, id: conversationId }]);
  if (!found || (await claimDueThread(tx, key)) === null) return;
  const [thread] = await selectAnswered(tx, [key]);
  const given = { workspaceId, conversationId, reason: "stuck", summary: NOT_STARTED } as const;
  if (thread && thread.handler !== "nobody") {
    await handOver(context, tx, given);
    return;
  }
  if (found.status !== "open" || found.assigneeId !== null) return;
  const since = thread?.since ?? (await resolvedAt(tx, key));
  if (!thread && (await hasPersonSince(tx, key, since))) return;
  const last = (await selectNewest(tx, key)).find(({ from }) => from === "customer");
  const { channelId, channelType } = found;
  const asked = { channelId, channelType, text: last?.text ?? null };
  const bot = await liveBotFor(context, tx, workspaceId, asked);
  if (!bot) return;
  // The hand-over takes it from the bot that should have begun.
  const began = { handler: "bot", botId: bot.id, runId: null, since, handedReason: null } as const;
  await writeAnswered(tx, [{ workspaceId, conversationId, ...began }], context.clock.now());
  await handOver(context, tx, { ...given, bot });
}
