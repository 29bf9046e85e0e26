import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { modelOf, type FoundModel } from "../../models/find-model.ts";
import type { AiDocument } from "../../wire/bot.ts";
import { unfit } from "../assist/unfit.ts";
import { localeOf, type BotLocale } from "../hand-over/hand-over-words.ts";
import { lookUpAlone } from "../lookup/look-up.ts";
import { botVersion } from "../record/live-bot.ts";
import { selectBot, type StoredBotDocument } from "../record/bot-store.ts";
import type { BotMessage } from "../thread/talk-store.ts";
import { readAi } from "./ai-document.ts";
import { lastWords, think, type Thought } from "./think.ts";
import { asksForPerson } from "./way-out.ts";

const WITHIN_MS = 45_000;

/** The document that a bot is tried with: its draft, or a published version. */
export interface TriedBot {
  readonly id: string;
  readonly name: string;
  readonly document: StoredBotDocument;
}

/** Throws NOT_FOUND for an unknown bot or version, and NOT_ALLOWED_IN_STATE for another kind of bot. */
export async function botToTry(
  { db }: Pick<Context, "db">,
  workspaceId: string,
  id: string,
  version: number | undefined,
): Promise<TriedBot> {
  const bot = isId(id) ? await selectBot(db, workspaceId, id) : null;
  if (!bot) throw new AppError("NOT_FOUND", { explanation: "no such bot" });
  if (bot.kind !== "ai") throw unfit("only an AI bot can be asked", "not_ai");
  if (version === undefined) return { id, name: bot.name, document: bot.draft };
  const published = await botVersion(db, workspaceId, id, version);
  if (!published)
    throw new AppError("NOT_FOUND", { explanation: `the bot has no version ${version}` });
  return { id, name: bot.name, document: published.document };
}

/** The model that a document is tried with: the workspace's, else the emulated one; null: none is set. */
export async function modelToTry(
  context: Pick<Context, "db" | "sealer">,
  workspaceId: string,
  document: AiDocument,
): Promise<FoundModel | null> {
  const model = await modelOf(context, workspaceId, { sandbox: true });
  if (!model || !document.model) return model;
  return { ...model, profile: { ...model.profile, name: document.model } };
}

/** A talk that no conversation has. */
export interface TriedTalk {
  readonly lines: readonly { readonly from: "customer" | "bot"; readonly text: string }[];
  /** The customer's language; absent: the text's. */
  readonly locale?: BotLocale;
}

/**
 * What a bot would do at the end of a talk: as a live one, it hands over before a model is asked where the customer asks
 * for a person. Nothing is sent, stored and metered; look-ups are made, for no customer. Never throws for what a model or its provider does.
 */
export async function answerTalk(
  context: Pick<Context, "db" | "clock" | "ids" | "sealer" | "providerHttp" | "guardedHttp">,
  workspaceId: string,
  { id: botId, name, document: stored }: TriedBot,
  model: FoundModel,
  { lines, locale }: TriedTalk,
): Promise<Thought> {
  const document = readAi({ name, document: stored });
  const at = context.clock.now();
  const messages = lines.map((line): BotMessage => ({
    ...line,
    id: context.ids.next(),
    at,
    writtenAt: at,
    type: "text",
    attachments: [],
  }));
  if (asksForPerson(lastWords(messages), document.handOver?.words))
    return { ...WAY_OUT, locale: locale ?? localeOf(messages) };
  return think(context, workspaceId, {
    document,
    profile: model.profile,
    messages,
    withinMs: WITHIN_MS,
    turnId: context.ids.next(),
    procedures: document.procedures ?? [],
    lookUp: lookUpAlone(context, { workspaceId, botId }),
    ...(locale && { locale }),
  });
}

const WAY_OUT = {
  decision: "hand_over",
  text: "",
  byModel: false,
  sources: [],
  sourceIds: [],
  topic: null,
  checks: [],
  lookups: [],
  procedure: null,
  reason: "asked",
  tokens: 0,
  cost: 0,
  ms: 0,
  stops: "asked",
  request: null,
  answer: null,
} as const;
