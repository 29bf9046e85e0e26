import { actorName } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { askerOf } from "../../knowledge/close-gap.ts";
import { isId } from "../../lib/ids.ts";
import { caseOperations } from "../../operations/cases.ts";
import { MOST_CASES, type CaseJson } from "../../wire/case.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { perform } from "../../write.ts";
import { selectBot } from "../record/bot-store.ts";
import { lockLiving } from "../record/bots.ts";
import { unfit } from "../assist/unfit.ts";
import { questionOf, readCase } from "./bot-case.ts";
import { endIfDone, lockRunsOf, selectCaseProgress } from "./case-run-store.ts";
import {
  countCases,
  deleteCases,
  insertCase,
  lockCase,
  rewriteCase,
  selectCases,
  sumCases,
  type BotCase,
} from "./case-store.ts";

type CaseContext = Pick<Context, "db" | "ids" | "clock">;

/** A case as members see it. */
function presentCase(one: BotCase & { readonly current: boolean }): CaseJson {
  const { id, talk, mustHold, mustNotHold, sources, decision, lang } = one;
  const result = one.lastPassed === null ? null : one.lastPassed ? "passed" : "failed";
  return {
    id,
    question: questionOf(one),
    talk,
    mustHold,
    mustNotHold,
    sources,
    decision,
    lang,
    result,
    current: one.current,
    right: one.lastRight,
    asked: one.lastAsked,
    runId: one.lastRunId,
    ranAt: one.lastAt?.toISOString() ?? null,
    createdAt: one.createdAt.toISOString(),
    updatedAt: one.updatedAt.toISOString(),
  };
}

export const noCase = () => new AppError("NOT_FOUND", { explanation: "no such case" });

/** The cases of a bot, and how they stand for its draft. Throws NOT_FOUND. */
export const listCases = perform(
  caseOperations.listCases,
  async (_actor, { db }: Pick<Context, "db">, workspaceId, { id }) => {
    const bot = isId(id) ? await selectBot(db, workspaceId, id) : null;
    if (!bot) throw new AppError("NOT_FOUND", { explanation: "no such bot" });
    const [cases, sums, running] = await Promise.all([
      selectCases(db, workspaceId, id, bot.draft),
      sumCases(db, workspaceId, id, bot.draft),
      selectCaseProgress(db, workspaceId, id),
    ]);
    return { items: cases.map(presentCase), ...sums, running };
  },
);

/** Adds a case. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE for another kind of bot and above the most, VALIDATION_FAILED. */
export const addCase = perform(
  caseOperations.addCase,
  async (
    actor,
    context: CaseContext,
    workspaceId,
    { id, conversationId, gapId, ...given },
    { keep },
  ) => {
    const terms = readCase(given);
    const words = { conversationId, gapId, question: questionOf(terms) };
    const contactId = await whoseWords(context, workspaceId, words);
    return context.db.transaction(async (tx) => {
      const bot = await lockLiving(tx, workspaceId, id);
      if (bot.kind !== "ai") throw unfit("only an AI bot has cases", "not_ai");
      if ((await countCases(tx, workspaceId, id)) >= MOST_CASES)
        throw unfit(`a bot has at most ${MOST_CASES} cases; delete one first`, "too_many_cases");
      const at = context.clock.now();
      const caseId = context.ids.next();
      const by = actorName(actor);
      const one = { ...terms, id: caseId, botId: id, contactId, by, at };
      await insertCase(tx, workspaceId, one);
      await audit(actor, context, tx, workspaceId, { action: "bot.case_added", subject: id });
      return keep(tx, await caseBySure(tx, workspaceId, id, caseId));
    });
  },
);

/** The customer whose words a case is made of. Throws NOT_FOUND. */
async function whoseWords(
  context: Pick<Context, "db">,
  workspaceId: string,
  from: {
    readonly conversationId: string | undefined;
    readonly gapId: string | undefined;
    readonly question: string;
  },
): Promise<string | null> {
  if (from.conversationId !== undefined) {
    const thread = isId(from.conversationId)
      ? await findConversation(context, workspaceId, from.conversationId)
      : null;
    if (!thread) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
    return thread.contactId;
  }
  if (from.gapId === undefined) return null;
  return askerOf(context, workspaceId, from.gapId, from.question);
}

/** Replaces a case: it has to be run again. Throws NOT_FOUND, VALIDATION_FAILED. */
export const saveCase = perform(
  caseOperations.saveCase,
  async (actor, context: CaseContext, workspaceId, { id, caseId, ...given }) => {
    const terms = readCase(given);
    return context.db.transaction(async (tx) => {
      await lockLiving(tx, workspaceId, id);
      const before = isId(caseId) ? await lockCase(tx, workspaceId, id, caseId) : null;
      if (!before) throw noCase();
      await rewriteCase(tx, workspaceId, caseId, terms, context.clock.now());
      await audit(actor, context, tx, workspaceId, { action: "bot.case_changed", subject: id });
      return caseBySure(tx, workspaceId, id, caseId);
    });
  },
);

/** Deletes a case with its results. Throws NOT_FOUND. */
export const deleteCase = perform(
  caseOperations.deleteCase,
  (actor, context: CaseContext, workspaceId, { id, caseId }) =>
    context.db.transaction(async (tx) => {
      await lockLiving(tx, workspaceId, id);
      if (!isId(caseId)) throw noCase();
      await removeCases(context, tx, workspaceId, [caseId], async () => {
        if (!(await lockCase(tx, workspaceId, id, caseId))) throw noCase();
      });
      await audit(actor, context, tx, workspaceId, { action: "bot.case_deleted", subject: id });
      return {};
    }),
);

/** Deletes cases, and ends the runs that waited for them alone. Runs are locked before cases, as workers do. */
export async function removeCases(
  { clock }: Pick<Context, "clock">,
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  lock: () => Promise<void> = async () => {},
): Promise<void> {
  const runs = await lockRunsOf(tx, workspaceId, ids);
  await lock();
  await deleteCases(tx, workspaceId, ids);
  for (const run of runs) await endIfDone(tx, workspaceId, run.id, clock.now());
}

async function caseBySure(
  tx: Tx,
  workspaceId: string,
  botId: string,
  id: string,
): Promise<CaseJson> {
  const found = await lockCase(tx, workspaceId, botId, id);
  if (!found) throw new Error("the case vanished while it was written");
  return presentCase({ ...found, current: false });
}
