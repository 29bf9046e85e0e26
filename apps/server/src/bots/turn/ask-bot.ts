import type { Context } from "../../context.ts";
import { turnOperations } from "../../operations/turns.ts";
import { perform } from "../../write.ts";
import { readAi } from "./ai-document.ts";
import { unfit } from "../assist/unfit.ts";
import { answerTalk, botToTry, modelToTry } from "./answer-talk.ts";

/**
 * What a bot would say to a customer who begins with this text. Nothing is sent and metered. Throws NOT_FOUND, and
 * NOT_ALLOWED_IN_STATE for another kind of bot and where no model is set.
 */
export const askBot = perform(
  turnOperations.askBot,
  async (_actor, context: Context, workspaceId, { id, text, version, lang }, { keep }) => {
    const bot = await botToTry(context, workspaceId, id, version);
    const model = await modelToTry(context, workspaceId, readAi(bot));
    if (!model) throw unfit("no model is set (Settings, AI)", "no_model");
    const thought = await answerTalk(context, workspaceId, bot, model, {
      lines: [{ from: "customer", text }],
      ...(lang && { locale: lang }),
    });
    const { decision, text: said, sources, checks, lookups, procedure, reason, ...took } = thought;
    const { tokens, cost, ms } = took;
    const made = { decision, text: said, sources, checks, lookups, procedure, reason };
    const answer = { ...made, tokens, cost, ms };
    return context.db.transaction((tx) => keep(tx, answer));
  },
);
