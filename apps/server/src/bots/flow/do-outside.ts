import type { Context } from "../../context.ts";
import { recordUse } from "../../knowledge/list-sources.ts";
import { recordGap } from "../../knowledge/record-gap.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import type { Message } from "../../messages/record/message.ts";
import type { FlowStep } from "../../wire/flow.ts";
import { askSystem } from "../external/ask-system.ts";
import { secretOf } from "../external/bot-secret.ts";
import { subjectOf } from "../external/call-subject.ts";
import { textIn } from "../hand-over/hand-over-words.ts";
import { lookUpIn } from "../lookup/look-up.ts";
import { findLiveAi } from "../record/live-bot.ts";
import { followedBy, moveRun, type BotRun } from "../thread/run-store.ts";
import { Superseded, type BotTalk } from "../thread/who-answers.ts";
import { readAi } from "../turn/ai-document.ts";
import { classify, classifyingCosts, topicRequest } from "../turn/classify.ts";
import { beforeTurn, leaseFrom, TURN_MS } from "../turn/run-turns.ts";
import { heldFor, modelFor } from "../turn/spending.ts";
import {
  beginAside,
  beginTurn,
  endAside,
  endWithoutText,
  endWithText,
} from "../turn/settle-turn.ts";
import { lastWords, think, type Thought } from "../turn/think.ts";
import { readResults } from "./read-results.ts";
import type { Outside, OutsideOutcome } from "./run-flow.ts";

/** What a step outside of the flow gave, and what is stored with it or instead of it. */
export interface Taken {
  readonly outcome: OutsideOutcome;
  /** Runs in the transaction that stores the outcome. */
  readonly within?: (tx: Tx, sent: readonly Message[]) => Promise<void>;
  /** After that transaction. */
  readonly stored?: () => Promise<void>;
  /** The customer or a person was faster, so nothing is said. Present: the outcome is only of what was said until now. */
  readonly superseded?: () => Promise<void>;
}

const failed = (why: string): Taken => ({ outcome: { kind: "failed", why } });

/** Does a step outside of the flow, outside of a transaction. `run` is at the step, and claimed by the caller. */
export function doOutside(
  context: Context,
  run: BotRun,
  outside: Outside,
  talk: BotTalk,
): Promise<Taken> {
  const { step, inputs, text } = outside;
  switch (step.type) {
    case "call":
      return call(context, run, talk, { step, inputs });
    case "classify":
      return chooseTopic(context, run, step, text ?? lastWords(talk.messages));
    case "ai":
      return answerOnce(context, run, talk, { step, question: text });
  }
}

async function call(
  context: Context,
  run: BotRun,
  talk: BotTalk,
  {
    step,
    inputs,
  }: {
    readonly step: Extract<FlowStep, { type: "call" }>;
    readonly inputs: Outside["inputs"];
  },
): Promise<Taken> {
  const { botId } = followedBy(run);
  const [subject, secret] = await Promise.all([
    subjectOf(context, { ...run, botId }, talk.messages),
    secretOf(context, context.db, run.workspaceId, botId),
  ]);
  if (!subject) return failed("the conversation was deleted");
  if (secret === null) return failed("the bot has no secret");
  const at = Date.parse(run.steps.at(-1)?.at ?? "");
  const id = run.step ?? "";
  const answer = await askSystem(context, {
    // The same when a worker was lost and the call is made again.
    id: `${run.id}-${id}-${at}`,
    url: step.url,
    secret,
    body: JSON.stringify({ type: "bot.call", ...subject, step: id, inputs }),
    twice: step.idempotent === true,
  });
  if (answer.kind === "failed") return failed(answer.why);
  const values = readResults(answer.value, step.results ?? []);
  return { outcome: { kind: "ok", values } };
}

async function chooseTopic(
  context: Context,
  run: BotRun,
  { topics }: Extract<FlowStep, { type: "classify" }>,
  text: string,
): Promise<Taken> {
  const { workspaceId, conversationId } = run;
  const { botId, version } = followedBy(run);
  if (text.trim() === "") return failed("there are no words");
  const model = await modelFor(context, workspaceId, conversationId, undefined);
  if (!model) return failed("no model is set");
  const request = topicRequest(text, topics);
  const held = classifyingCosts(model.second, request);
  const aside = { workspaceId, botId, version, conversationId, runId: run.id, held };
  const id = await beginAside(context, aside, { of: model });
  if (id === null) return failed("what bots may spend is used up");
  const { topic, failure, ...facts } = await classify(context, workspaceId, model.second, request);
  const outcome: OutsideOutcome =
    topic === null ? { kind: "failed", why: failure ?? "no topic fits" } : { kind: "topic", topic };
  // It was paid for, whatever follows.
  await endAside(context, workspaceId, id, { ...facts, decision: topic, reason: failure });
  return { outcome };
}

/** An AI bot answers once, as it does in its own conversations: the same checks, limits and meter. */
async function answerOnce(
  context: Context,
  run: BotRun,
  talk: BotTalk,
  {
    step,
    question,
  }: {
    readonly step: Extract<FlowStep, { type: "ai" }>;
    readonly question: string | null;
  },
): Promise<Taken> {
  const { workspaceId, conversationId } = run;
  const bot = await findLiveAi(context.db, workspaceId, step.bot);
  if (!bot) return failed(`no AI bot with the name ${step.bot} answers`);
  const may = await beforeTurn(context, run, bot);
  if ("reason" in may) return failed(may.reason);
  const document = readAi(bot);
  const turnId = context.ids.next();
  const { id: botId, version } = bot;
  const begun = await context.db.transaction(async (tx) => {
    await lockConversations(tx, [{ workspaceId, id: conversationId }]);
    // The claim goes on as it is; another worker's ends this one.
    if (!(await moveRun(tx, run, { leaseUntil: leaseFrom(context) }))) return null;
    const start = { workspaceId, id: turnId, botId, version, conversationId, runId: run.id };
    return beginTurn(context, tx, { ...start, held: heldFor(may.model, document) }, may.caps);
  });
  if (begun === null) return failed("another worker has the run");
  if (!begun.granted) return failed(begun.why);
  const asked = question === null ? talk.messages : askedAlone(context, question);
  const { profile } = may.model;
  const thought = await think(context, workspaceId, {
    document,
    profile,
    messages: asked,
    withinMs: TURN_MS,
    turnId,
    lookUp: lookUpIn(context, { workspaceId, botId, conversationId, messages: talk.messages }),
  });
  const ends = (status: "superseded" | "failed") =>
    context.db.transaction((tx) =>
      endWithoutText(context, tx, workspaceId, turnId, { status, thought }),
    );
  if (thought.stops || thought.text === "") {
    await ends("failed");
    await keepGap(context, run, thought, lastWords(asked));
    return failed(thought.stops ?? "no_source");
  }
  // An AI bot that began the flow has said that it is an assistant.
  const isTold = run.flowId !== null;
  const first =
    !isTold && !run.steps.some(({ type, detail }) => type === "ai" && detail === "answered");
  const disclosure = first ? textIn(document.disclosure, thought.locale) : null;
  const say = disclosure === null ? thought.text : `${disclosure}\n\n${thought.text}`;
  return {
    outcome: { kind: "ok", say, byModel: thought.byModel },
    within: async (tx, [message]) => {
      // A hand-over whose text was refused: the customer got nothing.
      const ended = message
        ? endWithText(context, tx, workspaceId, turnId, {
            status: "sent",
            thought,
            messageId: message.id,
            channelId: message.channelId,
          })
        : endWithoutText(context, tx, workspaceId, turnId, { status: "failed", thought });
      if (!(await ended)) throw new Superseded("the turn took too long");
    },
    stored: () => recordUse(context, workspaceId, thought.sourceIds),
    superseded: async () => void (await ends("superseded")),
  };
}

const askedAlone = ({ ids, clock }: Context, text: string): BotTalk["messages"] => {
  const at = clock.now();
  const message = { id: ids.next(), at, writtenAt: at, from: "customer", type: "text" } as const;
  return [{ ...message, text, attachments: [] }];
};

async function keepGap(
  context: Context,
  { workspaceId, conversationId, botId }: BotRun,
  { stops }: Thought,
  question: string,
): Promise<void> {
  if (stops !== "no_source" && stops !== "checks_failed") return;
  const why = stops === "no_source" ? "no_source" : "check_failed";
  await context.db.transaction(async (tx) => {
    const [found] = await lockConversations(tx, [{ workspaceId, id: conversationId }]);
    const gap = { question, conversationId, botId, why } as const;
    if (found) await recordGap(context, tx, workspaceId, { ...gap, contactId: found.contactId });
  });
}
