import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { AppError, invalid } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { botOperations } from "../../operations/bots.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { perform } from "../../write.ts";
import { countRuns, countRunsByVersion } from "../thread/run-store.ts";
import { addressFaults } from "./address-faults.ts";
import {
  insertBot,
  lockBot,
  selectBot,
  selectBots,
  selectVersions,
  writeBot,
  type Bot,
} from "./bot-store.ts";
import { readDocument } from "./document-faults.ts";
import { presentBot, presentListed, versioned } from "./present-bot.ts";

const WEEK_MS = 7 * 86_400_000;
const NO_BOT = { explanation: "no such bot" } as const;

/** The bots of a workspace with what they did in the last seven days. */
export const listBots = perform(
  botOperations.listBots,
  async (_actor, context: Pick<Context, "db" | "clock">, workspaceId) => {
    const since = new Date(context.clock.now().getTime() - WEEK_MS);
    const [bots, figures] = await Promise.all([
      selectBots(context.db, workspaceId),
      countRuns(context.db, workspaceId, since),
    ]);
    return { items: bots.map((bot) => presentListed(bot, figures.get(bot.id))) };
  },
);

/** Stores a new bot as a draft. Throws VALIDATION_FAILED for what is no document. */
export const createBot = perform(
  botOperations.createBot,
  async (actor, context: Context, workspaceId, { document }, { keep }) => {
    const { name, kind, kept } = readDocument(document);
    const id = context.ids.next();
    const address = await addressFaults(context, document);
    return context.db.transaction(async (tx) => {
      const createdAt = context.clock.now();
      await insertBot(tx, { workspaceId, id, name, kind, draft: kept, createdAt });
      const entry = { action: "bot.created", subject: id, facts: { kind } } as const;
      await audit(actor, context, tx, workspaceId, entry);
      return keep(tx, presentBot(await bySure(tx, workspaceId, id), address));
    });
  },
);

/** One bot with its draft and its faults. Throws NOT_FOUND. */
export const readBot = perform(
  botOperations.readBot,
  async (_actor, context: Pick<Context, "db" | "config">, workspaceId, { id }) => {
    const bot = isId(id) ? await selectBot(context.db, workspaceId, id) : null;
    if (!bot) throw new AppError("NOT_FOUND", NO_BOT);
    return presentBot(bot, await addressFaults(context, bot.draft));
  },
);

/**
 * Replaces the draft; what is published answers as before. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE, VALIDATION_FAILED,
 * VERSION_MISMATCH.
 */
export const saveBotDraft = perform(
  botOperations.saveBotDraft,
  async (actor, context: Context, workspaceId, { id, document }, { match }) => {
    const { name, kind, kept } = readDocument(document);
    const address = await addressFaults(context, document);
    return context.db.transaction(async (tx) => {
      const bot = await lockLiving(tx, workspaceId, id);
      match(versioned(bot));
      if (kind !== bot.kind) throw invalid("document.kind", `must stay ${bot.kind}`);
      await writeBot(tx, { ...bot, name, draft: kept, updatedAt: context.clock.now() });
      await audit(actor, context, tx, workspaceId, { action: "bot.draft_saved", subject: id });
      return presentBot(await bySure(tx, workspaceId, id), address);
    });
  },
);

/** What was published of a bot, the newest first. Throws NOT_FOUND. */
export const listBotVersions = perform(
  botOperations.listBotVersions,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id }) => {
    if (!isId(id) || !(await selectBot(context.db, workspaceId, id)))
      throw new AppError("NOT_FOUND", NO_BOT);
    const [versions, runs] = await Promise.all([
      selectVersions(context.db, workspaceId, id),
      countRunsByVersion(context.db, workspaceId, id),
    ]);
    return {
      items: versions.map((version) => ({
        ...version,
        publishedAt: version.publishedAt.toISOString(),
        runs: runs.get(version.number) ?? 0,
      })),
    };
  },
);

/** Makes an earlier version the draft. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE. */
export const restoreBotVersion = perform(
  botOperations.restoreBotVersion,
  (actor, context: Context, workspaceId, { id, n }, { keep }) =>
    context.db.transaction(async (tx) => {
      const bot = await lockLiving(tx, workspaceId, id);
      const version = (await selectVersions(tx, workspaceId, id)).find(
        ({ number }) => number === Number(n),
      );
      if (!version) throw new AppError("NOT_FOUND", { explanation: "no such version" });
      const { name } = readDocument(version.document);
      await writeBot(tx, { ...bot, name, draft: version.document, updatedAt: context.clock.now() });
      const facts = { version: version.number };
      const entry = { action: "bot.version_restored", subject: id, facts } as const;
      await audit(actor, context, tx, workspaceId, entry);
      return keep(tx, presentBot(await bySure(tx, workspaceId, id)));
    }),
);

/** Locks a bot that is not archived. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE. */
export async function lockLiving(tx: Tx, workspaceId: string, id: string): Promise<Bot> {
  const bot = isId(id) ? await lockBot(tx, workspaceId, id) : null;
  if (!bot) throw new AppError("NOT_FOUND", NO_BOT);
  if (bot.status === "archived")
    throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "the bot is archived" });
  return bot;
}

/** A bot that this transaction has written. */
export async function bySure(tx: Tx, workspaceId: string, id: string): Promise<Bot> {
  const bot = await selectBot(tx, workspaceId, id);
  if (!bot) throw new Error("the bot vanished while it was written");
  return bot;
}
