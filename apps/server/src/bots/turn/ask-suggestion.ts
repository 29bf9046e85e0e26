import type { Context } from "../../context.ts";
import { recordUse } from "../../knowledge/list-sources.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { AppError } from "../../errors.ts";
import { sayChanged, storeSuggestion } from "../../inbox/suggest-reply.ts";
import { presentSuggestion } from "../../inbox/suggestion.ts";
import { turnOperations } from "../../operations/turns.ts";
import { perform } from "../../write.ts";
import { lookUpIn } from "../lookup/look-up.ts";
import { selectLiveBots } from "../record/bot-store.ts";
import { selectNewest } from "../thread/talk-store.ts";
import { readAi } from "./ai-document.ts";
import { noModelAnswer, unfit } from "../assist/unfit.ts";
import { beginTurn, endWithoutText, endWithText } from "./settle-turn.ts";
import { heldFor, modelFor } from "./spending.ts";
import { suggestionOf } from "./suggest-withheld.ts";
import { think } from "./think.ts";

const WITHIN_MS = 40_000;

/**
 * Has the oldest live AI bot suggest a reply to what the customer wrote last. The suggestion and the end of its turn are
 * stored together; without a suggestion the AI reply is given back. Throws NOT_FOUND, AI_REPLY_LIMIT_REACHED,
 * MODEL_UNAVAILABLE, and NOT_ALLOWED_IN_STATE where no bot or model can answer, or nothing that may be said was found.
 */
export const askSuggestion = perform(
  turnOperations.askSuggestion,
  async (_actor, context: Context, workspaceId, { id: conversationId }, { keep }) => {
    const thread = await findConversation(context, workspaceId, conversationId);
    if (!thread) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
    const bot = (await selectLiveBots(context.db, workspaceId)).find(({ kind }) => kind === "ai");
    if (!bot) throw unfit("no AI bot is live", "no_bot");
    const document = readAi(bot);
    const model = await modelFor(context, workspaceId, conversationId, document.model);
    if (!model) throw unfit("no model is set (Settings, AI)", "no_model");
    const key = { workspaceId, conversationId };
    const talk = (await selectNewest(context.db, key)).reverse();
    // What was answered since is left out: the member wants an answer to what the customer wrote last.
    const messages = talk.slice(0, talk.findLastIndex(({ from }) => from === "customer") + 1);
    if (messages.length === 0) throw unfit("the customer wrote nothing", "nothing");
    const own = { botId: bot.id, costPerDay: document.limits?.costPerDay };
    const turnId = context.ids.next();
    const turn = { workspaceId, id: turnId, botId: bot.id, version: bot.version, conversationId };
    const begun = await context.db.transaction(async (tx) => {
      await lockConversations(tx, [{ workspaceId, id: conversationId }]);
      const start = { ...turn, runId: null, held: heldFor(model, document) };
      return beginTurn(context, tx, start, { of: model, bot: own });
    });
    if (!begun.granted)
      throw begun.why === "cost_cap"
        ? unfit("what bots may spend is used up (Settings, AI, and the bot's limits)", "cost_cap")
        : new AppError("AI_REPLY_LIMIT_REACHED", { limit: begun.limit ?? 0, usage: begun.used });
    const { profile } = model;
    const lookUp = lookUpIn(context, { workspaceId, botId: bot.id, conversationId, messages });
    const question = { document, profile, messages, withinMs: WITHIN_MS, turnId, lookUp };
    const thought = await think(context, workspaceId, question);
    if (thought.stops || thought.text === "") {
      const end = { status: "failed", thought } as const;
      await context.db.transaction((tx) => endWithoutText(context, tx, workspaceId, turnId, end));
      if (thought.stops === "model_unavailable") throw noModelAnswer();
      throw thought.stops === "model_refused"
        ? unfit("the model refused to answer", "refused")
        : unfit("no source answers this", "no_source");
    }
    const content = suggestionOf(thought, thought.reason);
    const by = { id: conversationId, author: `bot:${bot.id}`, authorName: bot.name };
    const kept = await context.db.transaction(async (tx) => {
      const { stored } = await storeSuggestion(context, tx, workspaceId, { ...by, content });
      const end = { status: "suggested", thought, channelId: thread.channelId } as const;
      if (!(await endWithText(context, tx, workspaceId, turnId, end)))
        throw new AppError("CONFLICT", { explanation: "the model took too long; ask again" });
      return keep(tx, presentSuggestion(stored));
    });
    await recordUse(context, workspaceId, thought.sourceIds);
    await sayChanged(context, workspaceId, conversationId);
    return kept;
  },
);
