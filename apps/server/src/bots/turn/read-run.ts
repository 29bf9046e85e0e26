import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { botOperations } from "../../operations/bots.ts";
import { perform } from "../../write.ts";
import { botNames } from "../record/live-bot.ts";
import { selectLastRun, type BotRun } from "../thread/run-store.ts";
import { selectTurnsOfRun } from "./turn-store.ts";

/** What the last bot did in a conversation. Throws NOT_FOUND. */
export const readRun = perform(
  botOperations.readRun,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id }) => {
    const run = isId(id) ? await selectLastRun(context.db, workspaceId, id) : null;
    if (!run) throw new AppError("NOT_FOUND", { explanation: "no bot has met it" });
    const [bot] = await botNames(context.db, workspaceId, [run.botId]);
    const turns = await selectTurnsOfRun(context.db, workspaceId, {
      conversationId: id,
      runId: run.id,
    });
    return {
      id: run.id,
      botId: run.botId,
      botName: bot?.name ?? "",
      version: run.version,
      state: run.state,
      step: run.step,
      steps: stepsOf(run, turns),
      variables: withoutSecrets(run.variables),
      turns: run.turns,
      outcome: run.outcome,
      reason: run.reason,
      summary: run.summary,
      topic: run.topic,
      beganAt: run.beganAt.toISOString(),
      endedAt: run.endedAt?.toISOString() ?? null,
    };
  },
);

type TurnTaken = Awaited<ReturnType<typeof selectTurnsOfRun>>[number];

/** The steps of a flow, the answers of a model and the look-ups before them, in the order in which they were taken. */
function stepsOf({ steps }: BotRun, turns: readonly TurnTaken[]): Record<string, unknown>[] {
  const answers = turns.flatMap(({ id, createdAt, status, decision, lookups }) => {
    const at = createdAt.toISOString();
    return [
      ...lookups.map(({ name, fault }) => ({
        at,
        type: "lookup",
        step: name,
        turnId: id,
        fault,
      })),
      { at, type: "turn", turnId: id, status, decision },
    ];
  });
  return [...answers, ...steps.map((step) => ({ ...step }))].sort((a, b) =>
    a.at < b.at ? -1 : a.at > b.at ? 1 : 0,
  );
}

const SECRET = /secret|token|passw|passcode|api_?key|^_/i;

/** What was collected, without what is named as a secret: members see it in the thread. */
const withoutSecrets = (variables: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !SECRET.test(name)));
