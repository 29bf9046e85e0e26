import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { modelOf } from "../../models/find-model.ts";
import { turnOperations } from "../../operations/turns.ts";
import { perform } from "../../write.ts";
import { botVersion } from "../record/live-bot.ts";
import { selectBot } from "../record/bot-store.ts";
import { unfit } from "../assist/unfit.ts";
import { readAi } from "./ai-document.ts";
import { think } from "./think.ts";

const WITHIN_MS = 45_000;

/**
 * What a bot would say to a customer who begins with this text. Nothing is sent and metered. Throws NOT_FOUND, and
 * NOT_ALLOWED_IN_STATE for another kind of bot and where no model is set.
 */
export const askBot = perform(
  turnOperations.askBot,
  async (_actor, context: Context, workspaceId, { id, text, version, lang }, { keep }) => {
    const bot = await selectBot(context.db, workspaceId, id);
    if (!bot) throw new AppError("NOT_FOUND", { explanation: "no such bot" });
    if (bot.kind !== "ai") throw unfit("only an AI bot can be asked", "not_ai");
    const published =
      version === undefined ? null : await botVersion(context.db, workspaceId, id, version);
    if (version !== undefined && !published)
      throw new AppError("NOT_FOUND", { explanation: `the bot has no version ${version}` });
    const document = readAi({ name: bot.name, document: published?.document ?? bot.draft });
    const model = await modelOf(context, workspaceId, { sandbox: true });
    if (!model) throw unfit("no model is set (Settings, AI)", "no_model");
    const { profile } = model;
    const at = context.clock.now();
    const asked = { id: context.ids.next(), at, from: "customer", type: "text", text } as const;
    const thought = await think(context, workspaceId, {
      document,
      profile: document.model ? { ...profile, name: document.model } : profile,
      messages: [{ ...asked, writtenAt: at, attachments: [] }],
      withinMs: WITHIN_MS,
      ...(lang && { locale: lang }),
    });
    const { decision, sources, checks, reason, tokens, cost, ms } = thought;
    const answer = { decision, text: thought.text, sources, checks, reason, tokens, cost, ms };
    return context.db.transaction((tx) => keep(tx, answer));
  },
);
