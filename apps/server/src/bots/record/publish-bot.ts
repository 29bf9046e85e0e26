import { isDeepStrictEqual } from "node:util";
import { actorName } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { AppError, notInState } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { botOperations } from "../../operations/bots.ts";
import type { BotFault } from "../../wire/bot.ts";
import { lockWorkspace } from "../../workspaces/find-workspace.ts";
import { limitsOf } from "../../workspaces/plan-limits.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { perform } from "../../write.ts";
import { checkCases } from "../cases/check-cases.ts";
import { checkExternal } from "../external/check-external.ts";
import { checkFlow } from "../flow/check-flow.ts";
import { checkLookups } from "../lookup/check-lookups.ts";
import { checkProcedures } from "../turn/check-procedures.ts";
import { checkSources } from "../turn/check-sources.ts";
import {
  countOtherBots,
  insertVersion,
  lockBot,
  selectBot,
  selectVersions,
  writeBot,
  type Bot,
} from "./bot-store.ts";
import { addressFaults } from "./address-faults.ts";
import { bySure, lockLiving } from "./bots.ts";
import { checkChannels } from "./check-channels.ts";
import { segmentsNamedBy } from "./segment-bots.ts";
import { faultsOf, readDocument, refuseFaulty } from "./document-faults.ts";
import { presentBot, versioned } from "./present-bot.ts";

/**
 * What is asked before a bot is published, beside the faults of its document. A check gives faults (BOT_NOT_PUBLISHABLE), or
 * throws CASES_FAIL unless `untested`.
 */
export type CheckBeforePublish = (
  context: Context,
  tx: Tx,
  bot: Bot,
  options: { readonly untested: boolean },
) => Promise<readonly BotFault[]>;
export const checksBeforePublish: readonly CheckBeforePublish[] = [
  checkChannels,
  checkExternal,
  checkFlow,
  checkLookups,
  checkProcedures,
  checkSources,
  checkCases,
];

/**
 * Publishes the draft as the next version, which answers from now on. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE,
 * BOT_NOT_PUBLISHABLE with the faults, CASES_FAIL, VERSION_MISMATCH, BOT_LIMIT_REACHED with limit and use.
 */
export const publishBot = perform(
  botOperations.publishBot,
  async (actor, context: Context, workspaceId, { id, untested = false, note }, { keep, match }) => {
    const judged = await findBot(context, workspaceId, id);
    const address = await addressFaults(context, judged.draft);
    return context.db.transaction(async (tx) => {
      await checkPlan(tx, workspaceId, id);
      const bot = await lockLiving(tx, workspaceId, id);
      match(versioned(bot));
      if (!isDeepStrictEqual(bot.draft, judged.draft))
        throw new AppError("NOT_ALLOWED_IN_STATE", {
          explanation: "the draft changed meanwhile: publish again",
        });
      refuseFaulty([...faultsOf(bot.draft), ...address]);
      for (const check of checksBeforePublish)
        refuseFaulty(await check(context, tx, bot, { untested }));
      const [last] = await selectVersions(tx, workspaceId, id);
      const number = (last?.number ?? 0) + 1;
      const at = context.clock.now();
      const version = {
        number,
        document: bot.draft,
        publishedBy: actorName(actor),
        publishedAt: at,
        note: note ?? null,
        untested,
      };
      await insertVersion(tx, bot, version, await segmentsNamedBy(tx, bot));
      const { name } = readDocument(bot.draft);
      await writeBot(tx, { ...bot, name, status: "live", version: number, updatedAt: at });
      const facts = { version: number, ...(untested && { untested: "yes" }) };
      await audit(actor, context, tx, workspaceId, {
        action: "bot.published",
        subject: id,
        facts,
      });
      return keep(tx, { id, version: number, status: "live" });
    });
  },
);

/** It begins in no more conversations; those that it answers it goes on with. */
export const pauseBot = perform(
  botOperations.pauseBot,
  (actor, context: Context, workspaceId, { id }, { keep }) =>
    context.db.transaction(async (tx) => {
      const bot = await lockLiving(tx, workspaceId, id);
      if (bot.status !== "live") throw notInState(bot.status, ["live"], "the bot is not live");
      await writeBot(tx, { ...bot, status: "paused", updatedAt: context.clock.now() });
      await audit(actor, context, tx, workspaceId, { action: "bot.paused", subject: id });
      return keep(tx, presentBot(await bySure(tx, workspaceId, id)));
    }),
);

/** A paused bot answers again. */
export const resumeBot = perform(
  botOperations.resumeBot,
  async (actor, context: Context, workspaceId, { id }, { keep }) => {
    await findBot(context, workspaceId, id);
    return context.db.transaction(async (tx) => {
      await checkPlan(tx, workspaceId, id);
      const bot = await lockLiving(tx, workspaceId, id);
      if (bot.status !== "paused")
        throw notInState(bot.status, ["paused"], "the bot is not paused");
      await writeBot(tx, { ...bot, status: "live", updatedAt: context.clock.now() });
      await audit(actor, context, tx, workspaceId, { action: "bot.resumed", subject: id });
      return keep(tx, presentBot(await bySure(tx, workspaceId, id)));
    });
  },
);

/** It answers no more and leaves the plan. The sweep hands its conversations over. A second call changes nothing. */
export const archiveBot = perform(
  botOperations.archiveBot,
  (actor, context: Context, workspaceId, { id }, { keep }) =>
    context.db.transaction(async (tx) => {
      const bot = isId(id) ? await lockBot(tx, workspaceId, id) : null;
      if (!bot) throw new AppError("NOT_FOUND", { explanation: "no such bot" });
      if (bot.status !== "archived") {
        await writeBot(tx, { ...bot, status: "archived", updatedAt: context.clock.now() });
        await audit(actor, context, tx, workspaceId, { action: "bot.archived", subject: id });
        tx.afterCommit(() => context.wake.nudge("housekeeping"));
      }
      return keep(tx, presentBot(await bySure(tx, workspaceId, id)));
    }),
);

/** A bot, found before the plan is checked: for an unknown id no answer says how full the plan is. Throws NOT_FOUND. */
async function findBot({ db }: Pick<Context, "db">, workspaceId: string, id: string): Promise<Bot> {
  const bot = isId(id) ? await selectBot(db, workspaceId, id) : null;
  if (!bot) throw new AppError("NOT_FOUND", { explanation: "no such bot" });
  return bot;
}

/** Throws BOT_LIMIT_REACHED when the plan allows no further bot. Locks the workspace, so that two cannot pass at once. */
async function checkPlan(tx: Tx, workspaceId: string, id: string): Promise<void> {
  const workspace = await lockWorkspace(tx, workspaceId);
  if (!workspace) throw new AppError("NOT_FOUND", { explanation: "no such workspace" });
  const limit = limitsOf(workspace).bots;
  const usage = isId(id) ? await countOtherBots(tx, workspaceId, id) : 0;
  if (limit !== null && usage >= limit)
    throw new AppError("BOT_LIMIT_REACHED", {
      limit,
      usage,
      explanation: `the plan allows ${limit} bots; archive one first`,
    });
}
