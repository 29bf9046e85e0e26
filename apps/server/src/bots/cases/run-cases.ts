import { actorName, SYSTEM, type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { caseOperations } from "../../operations/cases.ts";
import { REPEAT, type CaseRunJson } from "../../wire/case.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { perform } from "../../write.ts";
import { unfit } from "../assist/unfit.ts";
import { lockLiving } from "../record/bots.ts";
import { readAi } from "../turn/ai-document.ts";
import { botToTry, modelToTry, type TriedBot } from "../turn/answer-talk.ts";
import { costsTooMuch, heldFor } from "../turn/spending.ts";
import { questionOf } from "./bot-case.ts";
import {
  countOpenCaseRuns,
  insertCaseRun,
  selectCaseRun,
  selectResults,
  type CaseResult,
  type CaseRun,
} from "./case-run-store.ts";

export { selectMovedBots as movingBots } from "./case-run-store.ts";

/** Runs of a bot that go on at once. */
const AT_ONCE = 5;

/**
 * Begins a run over the cases of a bot, which workers do. Throws NOT_FOUND, and NOT_ALLOWED_IN_STATE for another kind of
 * bot, without cases, without a model, where nothing more may be spent, and while five runs go on.
 */
export const runCases = perform(
  caseOperations.runCases,
  async (
    actor,
    context: Context,
    workspaceId,
    { id, repeat = REPEAT, only, version },
    { keep },
  ) => {
    const bot = await botToTry(context, workspaceId, id, version);
    const { limits, ...document } = readAi(bot);
    const model = await modelToTry(context, workspaceId, document);
    if (!model) throw unfit("no model is set (Settings, AI)", "no_model");
    const ofBot = { botId: id, costPerDay: limits?.costPerDay };
    if (await costsTooMuch(context, workspaceId, model, heldFor(model, document), ofBot))
      throw unfit(
        "what bots may spend is used up (Settings, AI, and the bot's limits)",
        "cost_cap",
      );
    return context.db.transaction(async (tx) => {
      await lockLiving(tx, workspaceId, id);
      if ((await countOpenCaseRuns(tx, workspaceId, id)) >= AT_ONCE)
        throw unfit(`${AT_ONCE} runs of the bot go on; wait for one`, "too_many_runs");
      const ids = only ? [...new Set(only)] : null;
      const begun = await beginCaseRun(context, tx, workspaceId, bot, {
        version: version ?? null,
        repeat,
        why: "asked",
        only: ids?.filter(isId) ?? null,
        by: actor,
      });
      if (begun.cases === 0 && ids === null) throw unfit("the bot has no cases", "no_cases");
      if (ids !== null && begun.cases < ids.length)
        throw new AppError("NOT_FOUND", { explanation: "the bot has no such case" });
      await audit(actor, context, tx, workspaceId, {
        action: "bot.cases_run",
        subject: id,
        facts: { count: begun.cases },
      });
      return keep(tx, await runBySure(tx, workspaceId, id, begun.id));
    });
  },
);

/** What a run is made of. */
interface RunStart extends Pick<CaseRun, "version" | "repeat" | "why"> {
  /** Null: all cases. */
  readonly only: readonly string[] | null;
  readonly by: Actor;
}

/** Stores a run, which workers find at once. Gives how many cases it has. */
export async function beginCaseRun(
  context: Pick<Context, "ids" | "clock" | "wake">,
  tx: Tx,
  workspaceId: string,
  bot: Pick<TriedBot, "id" | "document">,
  { by, ...start }: RunStart,
): Promise<{ readonly id: string; readonly cases: number }> {
  const id = context.ids.next();
  const cases = await insertCaseRun(tx, {
    ...start,
    workspaceId,
    id,
    botId: bot.id,
    document: bot.document,
    startedBy: actorName(by),
    at: context.clock.now(),
  });
  tx.afterCommit(() => context.wake.nudge("runs"));
  return { id, cases };
}

/** Who begins runs after a change of sources. */
export const RERUNS = SYSTEM;

/** A run: its progress, and the answers of each case. Throws NOT_FOUND. */
export const readCaseRun = perform(
  caseOperations.readCaseRun,
  async (_actor, { db }: Pick<Context, "db">, workspaceId, { id, runId }) => {
    const run = isId(id) && isId(runId) ? await selectCaseRun(db, workspaceId, id, runId) : null;
    if (!run) throw new AppError("NOT_FOUND", { explanation: "no such run" });
    return presentCaseRun(run, await selectResults(db, workspaceId, runId));
  },
);

async function runBySure(
  tx: Tx,
  workspaceId: string,
  botId: string,
  id: string,
): Promise<CaseRunJson> {
  const run = await selectCaseRun(tx, workspaceId, botId, id);
  if (!run) throw new Error("the run vanished while it was written");
  return presentCaseRun(run, await selectResults(tx, workspaceId, id));
}

function presentCaseRun(run: CaseRun, results: readonly CaseResult[]): CaseRunJson {
  const { id, botId, version, repeat, why, state, reason, cost, startedBy } = run;
  const of = (wanted: CaseResult["state"]) => results.filter((one) => one.state === wanted).length;
  return {
    id,
    botId,
    version,
    repeat,
    why,
    state,
    reason,
    passed: of("passed"),
    failed: of("failed"),
    stopped: of("stopped"),
    waiting: of("waiting"),
    answers: results.reduce((sum, { answers }) => sum + answers.length, 0),
    cost,
    items: results.map(({ caseId, answers, state: result, ...one }) => ({
      caseId,
      question: questionOf(one),
      result,
      right: answers.filter(({ difference }) => difference === null).length,
      asked: answers.length,
      answers,
      difference: answers.find(({ difference }) => difference !== null)?.difference ?? null,
    })),
    startedBy,
    createdAt: run.createdAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
  };
}
