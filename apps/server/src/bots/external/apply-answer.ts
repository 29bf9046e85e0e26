import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { BotTurnAnswer } from "../../wire/external-bot.ts";
import type { ClaimedRun } from "../hand-over/hand-over-run.ts";
import { storeBotAnswer } from "../hand-over/store-bot-answer.ts";
import type { SeenThread } from "../thread/who-answers.ts";

/**
 * Stores what an external bot answered: its messages, its variables, its end or its hand-over. Throws Superseded as
 * `storeBotAnswer` does, and gives what it gives. `within` runs in its transaction.
 */
export async function applyAnswer(
  context: Context,
  run: ClaimedRun & { readonly botId: string },
  seen: SeenThread,
  { messages = [], variables, end, handOver }: BotTurnAnswer,
  within?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return storeBotAnswer(context, run, seen, {
    patch: {
      state: "waiting",
      dueAt: null,
      askedAt: null,
      turns: messages.length > 0 ? 1 : 0,
      ...(variables && { variables }),
    },
    messages,
    ...(within && { within }),
    ...(handOver
      ? { ends: { reason: handOver.reason ?? "flow", summary: handOver.summary ?? null } }
      : end && { ends: "done" as const }),
  });
}
