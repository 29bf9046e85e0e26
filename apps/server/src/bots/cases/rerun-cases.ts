import type { Context } from "../../context.ts";
import { REPEAT } from "../../wire/case.ts";
import { botVersion } from "../record/live-bot.ts";
import { selectBot } from "../record/bot-store.ts";
import { readAi } from "../turn/ai-document.ts";
import { modelToTry } from "../turn/answer-talk.ts";
import { selectToLook, writeLook } from "./case-run-store.ts";
import { selectTouched } from "./case-store.ts";
import { beginCaseRun, RERUNS } from "./run-cases.ts";

/** Knowledge that changes is left alone until it was quiet for so long: many sources are often changed together. */
const QUIET_MS = 10_000;
const WORKSPACES = 20;

/**
 * Begins runs over the cases whose sources have changed since their last answers. What answers customers is asked: the
 * published version, or the draft of a bot that has none. Gives how many workspaces it has done.
 */
export async function rerunTouched(context: Context): Promise<number> {
  const quietSince = new Date(context.clock.now().getTime() - QUIET_MS);
  let done = 0;
  for (const { workspaceId, version } of await selectToLook(context.db, quietSince, WORKSPACES))
    if (await rerunIn(context, workspaceId, version)) done += 1;
  return done;
}

/** False: a run asks a touched case now. The workspace is looked at again. */
async function rerunIn(context: Context, workspaceId: string, version: number): Promise<boolean> {
  const touched = await selectTouched(context.db, workspaceId);
  if (touched.some(({ busy }) => busy)) return false;
  const byBot = Map.groupBy(touched, ({ botId }) => botId);
  const bots = await Promise.all(
    [...byBot.keys()].map((botId) => tried(context, workspaceId, botId)),
  );
  await context.db.transaction(async (tx) => {
    await writeLook(tx, workspaceId, version);
    for (const bot of bots)
      if (bot)
        await beginCaseRun(context, tx, workspaceId, bot, {
          version: bot.version,
          repeat: REPEAT,
          why: "sources",
          only: (byBot.get(bot.id) ?? []).map(({ id }) => id),
          by: RERUNS,
        });
  });
  return true;
}

/** What answers for a bot; null: it is archived, or has no model to ask. */
async function tried(context: Context, workspaceId: string, botId: string) {
  const bot = await selectBot(context.db, workspaceId, botId);
  if (!bot || bot.status === "archived") return null;
  const published =
    bot.version === null ? null : await botVersion(context.db, workspaceId, botId, bot.version);
  const document = published?.document ?? bot.draft;
  const { id, name } = bot;
  if (!(await modelToTry(context, workspaceId, readAi({ name, document })))) return null;
  return { id, document, version: published ? bot.version : null };
}
