import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import type { AppError } from "../../errors.ts";
import { addSnippet } from "../../knowledge/write-snippet.ts";
import { aiDocumentExample } from "../../wire/bot.ts";
import { startBotStand, type BotStand } from "../bot-stand.fixture.ts";
import { createBot } from "../record/bots.ts";
import { publishBot } from "../record/publish-bot.ts";

let stand: BotStand;
before(async () => {
  stand = await startBotStand();
});
after(() => stand[Symbol.asyncDispose]());

test("publishing names a source of an AI bot that the workspace does not have", async () => {
  const { context } = stand;
  const snippetOf = async (workspaceId: string): Promise<string> => {
    const snippet = { title: "Delivery", text: "Two days." };
    return (await addSnippet(OPERATOR, context, workspaceId, snippet)).answer.id;
  };
  const { workspaceId } = await Desk.open(stand.m);
  const foreign = await snippetOf((await Desk.open(stand.m)).workspaceId);
  const own = await snippetOf(workspaceId);
  const publishes = async (sources: readonly string[]) => {
    const input = { document: { ...aiDocumentExample, sources } };
    const { id } = (await createBot(OPERATOR, context, workspaceId, input)).answer;
    return Promise.resolve(publishBot(OPERATOR, context, workspaceId, { id })).then(
      () => [],
      ({ code, facts }: AppError) => [code, ...(facts.details ?? []).map((one) => one.path)],
    );
  };
  const faulty = [own, "delivery", foreign, own.toUpperCase()];
  assert.deepEqual(await publishes(faulty), [
    "BOT_NOT_PUBLISHABLE",
    "sources.1",
    "sources.2",
    "sources.3",
  ]);
  assert.deepEqual(await publishes([own]), []);
  assert.deepEqual(await publishes([]), []);
});
