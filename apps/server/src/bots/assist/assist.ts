import { randomBytes } from "node:crypto";
import { actorName, type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { callModel } from "../../models/call-model.ts";
import { modelOf, type FoundModel } from "../../models/find-model.ts";
import { costOf, mostTokens, type ModelRequest } from "../../models/model.ts";
import { assistOperations } from "../../operations/assist.ts";
import { sourceWords } from "../../knowledge/list-sources.ts";
import { langOf } from "../../knowledge/source.ts";
import type { AssistJson, QuestionsJson } from "../../wire/assist.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { perform, type Kept } from "../../write.ts";
import { selectNewest, selectTextOf } from "../thread/talk-store.ts";
import { mayHold, modelFor } from "../turn/spending.ts";
import { questionsFor, rewritingOf, summaryOf, translationOf } from "./assist-prompts.ts";
import { endAssist, insertAssist, type AssistKind } from "./assist-store.ts";
import { noModelAnswer, unfit } from "./unfit.ts";

/** How long a call may be open: a little longer than it may take. */
const LEASE_MS = 60_000;

const nonce = (): string => randomBytes(9).toString("hex");

/**
 * A summary of a conversation for members, from its newest 20 messages. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE without a
 * model, without messages or beyond the caps of cost, MODEL_UNAVAILABLE.
 */
export const summarise = perform(
  assistOperations.summarise,
  async (actor, context: Context, workspaceId, { id, lang }, { keep }) => {
    const key = { workspaceId, conversationId: id };
    const model = await modelOfConversation(context, workspaceId, id);
    const messages = (await selectNewest(context.db, key)).reverse();
    if (messages.length === 0) throw unfit("the conversation has no messages", "nothing");
    const locale = lang ?? (await findWorkspace(context, workspaceId))?.locale ?? "en";
    const request = summaryOf(messages, locale, nonce());
    const asked = { kind: "summary", conversationId: id, model, request } as const;
    return assist(actor, context, workspaceId, asked, keep);
  },
);

/** A message of a conversation in another language. Throws as `summarise`. */
export const translate = perform(
  assistOperations.translate,
  async (actor, context: Context, workspaceId, { id, messageId, to }, { keep }) => {
    const model = await modelOfConversation(context, workspaceId, id);
    const key = { workspaceId, conversationId: id };
    const text = isId(messageId) ? await selectTextOf(context.db, key, messageId) : undefined;
    if (text === undefined) throw new AppError("NOT_FOUND", { explanation: "no such message" });
    if (text === null || text.trim() === "") throw unfit("the message has no text", "nothing");
    const request = translationOf(text, to, nonce());
    const asked = { kind: "translation", conversationId: id, model, request } as const;
    return assist(actor, context, workspaceId, asked, keep);
  },
);

/** A member's text in other words. Throws NOT_ALLOWED_IN_STATE, MODEL_UNAVAILABLE. */
export const rewrite = perform(
  assistOperations.rewrite,
  async (actor, context: Context, workspaceId, { text, how }, { keep }) => {
    if (text.trim() === "") throw unfit("the text has no words", "nothing");
    const model = await modelOf(context, workspaceId, { sandbox: true });
    const request = rewritingOf(text, how, nonce());
    const asked = { kind: "rewriting", conversationId: null, model, request } as const;
    return assist(actor, context, workspaceId, asked, keep);
  },
);

/** The most questions that are proposed, and the longest, in characters. */
const MOST_QUESTIONS = 20;
const LONGEST_QUESTION = 300;

/** Ways to ask for what a source says, without those that it has. Throws NOT_FOUND, and as `rewrite`. */
export const suggestQuestions = perform(
  assistOperations.suggestQuestions,
  async (actor, context: Context, workspaceId, { id }, { keep }) => {
    const source = await sourceWords(context, workspaceId, id);
    if (source.texts.length === 0) throw unfit("the source has no text yet", "nothing");
    const model = await modelOf(context, workspaceId, { sandbox: true });
    const request = questionsFor(source, nonce());
    const asked = { kind: "questions", conversationId: null, model, request } as const;
    return assist(actor, context, workspaceId, asked, (tx, { text, ...took }) =>
      keep(tx, { items: questionsIn(text, source.askedAs), ...took }),
    );
  },
);

/** The lines of a model's answer as questions, each once. */
function questionsIn(text: string, known: readonly string[]): QuestionsJson["items"] {
  const lines = text.split("\n").map((line) => line.replace(/^[\s\d٠-٩.)*•–-]+/u, "").trim());
  const fit = lines.filter(
    (line) => /\p{L}/u.test(line) && line.length <= LONGEST_QUESTION && !known.includes(line),
  );
  return [...new Set(fit)]
    .slice(0, MOST_QUESTIONS)
    .map((line) => ({ text: line, lang: langOf(line) }));
}

async function modelOfConversation(
  context: Context,
  workspaceId: string,
  id: string,
): Promise<FoundModel | null> {
  const model = isId(id) ? await modelFor(context, workspaceId, id, undefined) : undefined;
  if (model === undefined) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
  return model;
}

interface Asked {
  readonly kind: AssistKind;
  readonly conversationId: string | null;
  readonly model: FoundModel | null;
  readonly request: ModelRequest<string>;
}

/** Asks the cheaper model. The call's largest possible cost is held before it, and its true cost is stored after it. */
async function assist<A>(
  actor: Actor,
  context: Context,
  workspaceId: string,
  { kind, conversationId, model, request }: Asked,
  keep: (tx: Tx, made: AssistJson) => Promise<Kept<A>>,
): Promise<Kept<A>> {
  if (!model) throw unfit("no model is set (Settings, AI)", "no_model");
  const profile = model.second;
  // One more try may follow.
  const held = 2 * costOf(profile, mostTokens(request));
  const id = context.ids.next();
  const at = context.clock.now();
  const leaseUntil = new Date(at.getTime() + LEASE_MS);
  const start = { workspaceId, id, kind, conversationId, askedBy: actorName(actor), held };
  const begun = await context.db.transaction(async (tx) => {
    if (!(await mayHold(context, tx, workspaceId, held, { of: model }))) return false;
    await insertAssist(tx, { ...start, leaseUntil, at });
    return true;
  });
  if (!begun) throw unfit("what may be spent on the model is used up (Settings, AI)", "cost_cap");
  const outcome = await callModel(context, workspaceId, profile, request);
  const { ms } = outcome;
  const tokens = outcome.tokens.input + outcome.tokens.output;
  const took = { tokens, cost: costOf(profile, outcome.tokens), ms };
  if (outcome.kind !== "ok") {
    await endAssist(context.db, workspaceId, id, { status: "failed", ...took });
    throw outcome.kind === "refused"
      ? unfit("the model refused to answer", "refused")
      : noModelAnswer();
  }
  const text = outcome.value;
  return context.db.transaction(async (tx) => {
    await endAssist(tx, workspaceId, id, { status: "done", ...took });
    return keep(tx, { text, model: profile.name, ...took });
  });
}
