import type { Context } from "../../context.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import type { Tx } from "../../db/database.ts";
import { namedSources } from "../../knowledge/list-sources.ts";
import type { AiDocument } from "../../wire/bot.ts";
import type { CaseAnswer } from "../../wire/case.ts";
import type { FoundModel } from "../../models/find-model.ts";
import { readAi } from "../turn/ai-document.ts";
import { answerTalk, modelToTry } from "../turn/answer-talk.ts";
import { heldFor, mayHold } from "../turn/spending.ts";
import type { Thought } from "../turn/think.ts";
import { gradeAnswer } from "./grade-answer.ts";
import {
  addAnswer,
  addCost,
  claimCases,
  deleteCaseRunsBefore,
  endIfDone,
  endResult,
  writeHeld,
  lockCaseRun,
  othersHold,
  postponeCase,
  selectClaimed,
  stopCaseRun,
  type CaseClaim,
  type CaseRun,
  type ClaimedCase,
} from "./case-run-store.ts";
import { endCase } from "./case-store.ts";
import { notifyFailures } from "./notify-failures.ts";

/** A little longer than an answer may take. */
const LEASE_MS = 60_000;
/** How long a case waits when other calls hold the money that is left. */
const POSTPONED_MS = 1_000;
/** The longest text of an answer that is kept, in characters. */
const TEXT_KEPT = 4_000;
/** How long runs are kept that are the last one of no case. */
const KEPT_MS = 30 * 86_400_000;

/**
 * Has bots answer cases that wait, up to `limit` at once, one answer each: of one run, or of any. Each answer is committed
 * on its own, so a worker that dies loses at most the one that it was getting. Gives how many.
 */
export async function workCases(
  context: Context,
  limit: number,
  of: Pick<CaseRun, "workspaceId" | "id"> | null = null,
): Promise<number> {
  const now = context.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const claims = await claimCases(context.db, { now, leaseUntil, limit, of });
  await Promise.all(
    claims.map(async (claim) => {
      try {
        await workCase(context, claim);
      } catch (error) {
        const { workspaceId, runId, caseId } = claim;
        // The lease ends, and another try is made.
        const ids = { workspaceId, runId, caseId };
        context.log.error({ ...ids, ...describeForLog(error) }, "a case was not asked");
      }
    }),
  );
  return claims.length;
}

async function workCase(context: Context, claim: CaseClaim): Promise<void> {
  const { workspaceId } = claim;
  const asked = await selectClaimed(context.db, claim);
  // It was deleted.
  if (!asked) return;
  if (asked.firstVersion !== null && asked.firstVersion !== asked.version)
    return within(context, claim, (tx) => endResult(tx, claim, "stopped"));
  const bot = { id: claim.botId, name: nameIn(asked), document: asked.document };
  const ai = readAi(bot);
  const model = await modelToTry(context, workspaceId, ai);
  if (!model) return stop(context, claim, "no_model");
  const held = await hold(context, claim, model, ai);
  if (held === "spent") return stop(context, claim, "cost_cap");
  if (held !== "held") return;
  const thought = await answerTalk(context, workspaceId, bot, model, {
    lines: asked.talk,
    ...(asked.lang && { locale: asked.lang }),
  });
  await storeAnswer(context, claim, asked, thought);
}

/**
 * Holds the most that the call may cost. `later`: other calls hold what is left, and will hardly cost it. `lost`: another
 * worker has the case.
 */
function hold(
  context: Context,
  claim: CaseClaim,
  model: FoundModel,
  document: AiDocument,
): Promise<"held" | "spent" | "later" | "lost"> {
  const { workspaceId, botId } = claim;
  const costPerDay = document.limits?.costPerDay;
  return context.db.transaction(async (tx) => {
    await lockCaseRun(tx, workspaceId, claim.runId);
    const held = heldFor(model, document);
    const caps = { of: model, bot: { botId, costPerDay } };
    if (await mayHold(context, tx, workspaceId, held, caps))
      return (await writeHeld(tx, claim, held)) ? "held" : "lost";
    if (!(await othersHold(tx, workspaceId))) return "spent";
    await postponeCase(tx, claim, new Date(context.clock.now().getTime() + POSTPONED_MS));
    return "later";
  });
}

const nameIn = ({ document }: Pick<ClaimedCase, "document">): string => {
  const { name } = document;
  return typeof name === "string" ? name : "";
};

/** Changes a result under its run's lock, and ends the run when nothing of it waits. */
async function within(
  context: Context,
  { workspaceId, runId }: CaseClaim,
  change: (tx: Tx, run: CaseRun, at: Date) => Promise<void>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const run = await lockCaseRun(tx, workspaceId, runId);
    if (!run) return;
    const at = context.clock.now();
    await change(tx, run, at);
    if (await endIfDone(tx, workspaceId, runId, at)) await notifyFailures(context, tx, run);
  });
}

const stop = (context: Context, claim: CaseClaim, reason: string): Promise<void> =>
  within(context, claim, (tx, _run, at) =>
    stopCaseRun(tx, claim.workspaceId, claim.runId, reason, at),
  );

async function storeAnswer(
  context: Context,
  claim: CaseClaim,
  asked: ClaimedCase,
  thought: Thought,
): Promise<void> {
  const { workspaceId, runId, caseId } = claim;
  await within(context, claim, async (tx, run, at) => {
    // What was spent is spent, whoever has the case now.
    await addCost(tx, workspaceId, runId, thought.cost, at);
    const named = await namedSources(tx, workspaceId, [...thought.sourceIds, ...asked.sources]);
    const cited = named.filter(({ id }) => thought.sourceIds.includes(id));
    const names = [
      ...thought.sourceIds,
      ...cited.flatMap(({ externalId }) => externalId ?? []),
      ...thought.sources.map(({ chunkId }) => chunkId),
    ];
    const answer = {
      ...answerOf(thought),
      difference: gradeAnswer(asked, { ...thought, sources: names }),
    };
    const stored = await addAnswer(tx, claim, answer, asked, at);
    if (!stored || stored.answers.length < run.repeat) return;
    const right = stored.answers.filter(({ difference }) => difference === null).length;
    const passed = right === run.repeat;
    await endResult(tx, claim, passed ? "passed" : "failed");
    const all = await namedSources(tx, workspaceId, [
      ...stored.answers.flatMap(({ sources }) => sources.map(({ sourceId }) => sourceId)),
      ...asked.sources,
    ]);
    // Changed while it was asked: the prints are of no answer, and it is asked again.
    const isSame = asked.knowledge === stored.knowledge;
    await endCase(tx, workspaceId, {
      id: caseId,
      version: asked.version,
      runId,
      passed,
      right,
      asked: stored.answers.length,
      cited: Object.fromEntries(all.map(({ id, print }) => [id, isSame ? print : "changed"])),
      at,
    });
  });
}

const answerOf = (thought: Thought): Omit<CaseAnswer, "difference"> => ({
  decision: thought.decision,
  text: thought.text.slice(0, TEXT_KEPT).toWellFormed(),
  sources: thought.sources.map(({ title }, at) => ({
    sourceId: thought.sourceIds[at] ?? "",
    title: title.slice(0, 200).toWellFormed(),
  })),
  failedChecks: thought.checks.filter(({ ok }) => !ok).map(({ name }) => name),
  reason: thought.reason?.slice(0, 500).toWellFormed() ?? null,
  tokens: thought.tokens,
  cost: thought.cost,
  ms: thought.ms,
});

/** Deletes old runs that are the last one of no case. Gives how many. */
export const pruneCaseRuns = (context: Pick<Context, "db" | "clock">): Promise<number> =>
  deleteCaseRunsBefore(context.db, new Date(context.clock.now().getTime() - KEPT_MS));
