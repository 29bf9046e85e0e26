import { queryOptions } from "@tanstack/react-query";
import { call, type AnswerOf } from "../api/call.ts";
import { bootstrapQuery, failsPage, queryClient } from "../api/query-client.ts";
import { keepAnswer } from "../api/keep-answer.ts";

export type BotRow = AnswerOf<"listBots">["items"][number];
export type Bot = AnswerOf<"readBot">;
export type BotDocument = Bot["document"];
export type BotFault = Bot["faults"][number];

/** All calls of these pages begin with it. */
const BOTS = "bots";

export const botsQuery = queryOptions({
  queryKey: [BOTS, "list"],
  queryFn: ({ signal }) => call("listBots", { signal }),
  throwOnError: failsPage,
});

export const botQuery = (id: string) =>
  queryOptions({
    queryKey: [BOTS, "bot", id],
    queryFn: ({ signal }) => call("readBot", { params: { id }, signal }),
    throwOnError: failsPage,
  });

export const modelNamesQuery = queryOptions({
  queryKey: [BOTS, "models"],
  queryFn: ({ signal }) => call("listModelNames", { signal }),
  staleTime: 60_000,
});

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: [BOTS, "versions", id],
    queryFn: ({ signal }) => call("listBotVersions", { params: { id }, signal }),
    throwOnError: failsPage,
  });

/** Reads everything of these pages again, after a change. */
export async function readAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [BOTS] }),
    // The inbox names bots, and has their views where there is one.
    queryClient.invalidateQueries({ queryKey: bootstrapQuery.queryKey }),
  ]);
}

/**
 * Stores the draft of a bot, unless there is another version than `ifMatch`. Gives the bot as it is now, with the faults of
 * the draft.
 */
export async function saveDraft(
  id: string,
  document: BotDocument,
  ifMatch: string | undefined,
): Promise<Bot> {
  const bot = await call("saveBotDraft", { params: { id }, body: { document }, ifMatch });
  keepAnswer(queryClient, botQuery(id).queryKey, bot);
  return bot;
}
