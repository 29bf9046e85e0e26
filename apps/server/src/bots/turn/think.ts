import { randomBytes } from "node:crypto";
import type { Context } from "../../context.ts";
import { chunksForPrompt, searchKnowledge, type Found } from "../../knowledge/search-knowledge.ts";
import { callModel } from "../../models/call-model.ts";
import {
  costOf,
  type ModelOutcome,
  type ModelProfile,
  type ModelRequest,
} from "../../models/model.ts";
import { foldWords } from "../../messages/search/search-terms.ts";
import type { AiDocument } from "../../wire/bot.ts";
import { LOOKUPS_A_TURN, type LookupDone } from "../../wire/lookup.ts";
import type { HandOverReason } from "../../wire/words.ts";
import { checkAnswer, type Check } from "../guard/check-answer.ts";
import { localeOf, type BotLocale } from "../hand-over/hand-over-words.ts";
import { wordsOfName } from "../lookup/answer-text.ts";
import { doLookups, mayLookUp, type LookUp, type LookupCall } from "../lookup/look-up.ts";
import { isTalk, type BotMessage } from "../thread/talk-store.ts";
import { endsTalk, sendsSigns } from "./closing.ts";
import {
  NO_TOPIC,
  schemaFor,
  topicNames,
  rulesFor,
  turnsFor,
  type Citation,
  type Offers,
} from "./prompt.ts";

const DECISIONS = [
  "answer",
  "clarify",
  "search",
  "look_up",
  "procedure",
  "hand_over",
  "silent",
] as const;
type Decision = (typeof DECISIONS)[number];

/** The longest answer of a model, in tokens: 1,000 characters of Arabic and what is around them. */
export const MAX_TOKENS = 1_200;
const MOST_QUERIES = 3;
const FOUND_BY_QUERY = 8;

/** A greeting and nothing else, as `foldWords` writes it. */
const GREETING =
  /^(hi|hello|hey|good (morning|evening|day)|مرحبا|اهلا|هلا|هلو|السلام عليكم|سلام|صباح الخير|مساء الخير)( there| بك| بكم)?[\s!.,،]*$/u;
const GREETS = {
  en: "Hello! How can I help you?",
  ar: "أهلاً! كيف يمكنني مساعدتك؟",
} as const satisfies Record<BotLocale, string>;

/** What a model answered, and whether it may be said. */
export interface Thought {
  readonly decision: Decision | null;
  /** What would be said; empty where nothing is. */
  readonly text: string;
  /** A model wrote that; false: the words are ours. */
  readonly byModel: boolean;
  readonly locale: BotLocale;
  /** The chunks that it cites, as they were. */
  readonly sources: readonly {
    readonly chunkId: string;
    readonly title: string;
    readonly text: string;
  }[];
  /** The sources that they are pieces of. */
  readonly sourceIds: readonly string[];
  readonly checks: readonly Check[];
  /** What was asked of other systems, in order. */
  readonly lookups: readonly LookupDone[];
  /** The flow that it begins; null: none. */
  readonly procedure: string | null;
  /** Why, in the model's words; or a code of what went wrong. */
  readonly reason: string | null;
  readonly tokens: number;
  readonly cost: number;
  readonly ms: number;
  /** Why it must not be said; null: it may, or nothing has to be said. */
  readonly stops: HandOverReason | null;
  readonly request: unknown;
  readonly answer: unknown;
  /** Which of the bot's topics the question is about; null: none of them. */
  readonly topic: string | null;
}

interface Said {
  readonly decision: Decision;
  readonly text: string;
  readonly sources: readonly string[];
  readonly reason: string;
  readonly queries: readonly string[];
  readonly lookups: readonly LookupCall[];
  readonly procedure: string;
  /** Null: none of the bot's, or it has none. */
  readonly topic: string | null;
}

type ThinkContext = Pick<Context, "db" | "clock" | "providerHttp" | "guardedHttp">;

/** Everything that a turn is made of. */
export interface Question {
  readonly document: AiDocument;
  readonly profile: ModelProfile;
  /** The newest messages, oldest first. */
  readonly messages: readonly BotMessage[];
  /** Until when it must be over, in milliseconds from now. */
  readonly withinMs: number;
  /** The customer's language; absent: that of the newest message with words. */
  readonly locale?: BotLocale;
  /** Posts the look-ups that the document declares. */
  readonly lookUp: LookUp;
  /** The flows that it may begin; absent: none. */
  readonly procedures?: Offers["procedures"];
  /** Begins the ids of look-ups: the turn's. */
  readonly turnId: string;
}

/** The most that a model is asked in a turn: after a search and after each look-up once more. */
export const mostCalls = ({ lookups = [] }: Pick<AiDocument, "lookups">): number =>
  2 + (lookups.length > 0 ? LOOKUPS_A_TURN : 0);

/**
 * Asks the model for the next answer of a talk, and checks what it says. It stores nothing and sends nothing. A model may
 * search once, and have three look-ups made. Never throws for what a model, its provider or a look-up does.
 */
export async function think(
  context: ThinkContext,
  workspaceId: string,
  { document, profile, messages, withinMs, lookUp, procedures = [], turnId, ...given }: Question,
): Promise<Thought> {
  const begun = performance.now();
  const left = () => withinMs - (performance.now() - begun);
  const locale = given.locale ?? localeOf(messages);
  const question = lastWords(messages);
  const sources = document.sources ?? [];
  let chunks = await chunksForPrompt(context, workspaceId, {
    query: question,
    sources,
    lang: locale,
  });
  const nonce = randomBytes(9).toString("hex");
  const { lookups: declared = [] } = document;
  const system = rulesFor(document, locale, { lookups: declared, procedures });
  let spent = { tokens: 0, cost: 0 };
  let lookups: readonly LookupDone[] = [];
  for (let searched = false; ;) {
    const citations = cited(chunks);
    const canLookUp = mayLookUp({ done: lookups, left: left() });
    const offers = { lookups: canLookUp ? declared : [], procedures };
    const request: ModelRequest<Said> = {
      system,
      turns: turnsFor(nonce, citations, messages, lookups),
      schema: schemaFor(document, offers),
      schemaName: "answer",
      read: (answer) => readSaid(answer, topicNames(document)),
      maxTokens: MAX_TOKENS,
      withinMs: Math.max(1, left()),
    };
    const outcome = await callModel(context, workspaceId, profile, request);
    const { input, output } = outcome.tokens;
    spent = {
      tokens: spent.tokens + input + output,
      cost: spent.cost + costOf(profile, outcome.tokens),
    };
    const facts = {
      ...spent,
      ms: Math.round(performance.now() - begun),
      locale,
      lookups,
      request: { model: profile.name, system, turns: request.turns },
    };
    if (outcome.kind !== "ok") return failed(outcome, facts);
    const { value } = outcome;
    if (value.decision === "search" && !searched && left() > 5_000) {
      searched = true;
      chunks = await withQueries(context, workspaceId, chunks, value.queries, sources);
      continue;
    }
    if (value.decision === "look_up" && offers.lookups.length > 0 && value.lookups.length > 0) {
      const looking = { lookUp, declared, turnId, done: lookups, left: left() };
      lookups = [...lookups, ...(await doLookups(value.lookups, looking))];
      continue;
    }
    return judged(value, { ...facts, document, procedures, citations, question, messages });
  }
}

interface Facts extends Pick<Thought, "tokens" | "cost" | "ms" | "locale" | "lookups"> {
  readonly request: Pick<ModelRequest<Said>, "system" | "turns"> & { readonly model: string };
}

function failed(
  outcome: Exclude<ModelOutcome<Said>, { readonly kind: "ok" }>,
  facts: Facts,
): Thought {
  return {
    ...facts,
    decision: null,
    text: "",
    byModel: false,
    sources: [],
    sourceIds: [],
    checks: [],
    procedure: null,
    reason: `${outcome.kind} ${outcome.detail}`,
    stops: outcome.kind === "refused" ? "model_refused" : "model_unavailable",
    answer: null,
    topic: null,
  };
}

function judged(
  said: Said,
  {
    document,
    procedures,
    citations,
    question,
    messages,
    ...facts
  }: Facts & {
    readonly document: AiDocument;
    readonly procedures: Offers["procedures"];
    readonly citations: readonly Citation[];
    readonly question: string;
    readonly messages: readonly BotMessage[];
  },
): Thought {
  const named = new Map(citations.map((one) => [one.id, one]));
  const checks = checkAnswer({
    answer: {
      decision: said.decision,
      text: said.text,
      sources: said.sources.map((id) => named.get(id)?.chunkId ?? id),
    },
    chunks: citations,
    // The name is put before the answer, as a title is before a chunk.
    toolAnswers: facts.lookups
      .filter(({ fault }) => fault === null)
      .map(({ id, name, answer }) => ({ id, text: `${wordsOfName(name)}\n${answer}` })),
    customerTexts: messages.flatMap(({ from, text }) =>
      from === "customer" && text !== null ? [text] : [],
    ),
    rules: facts.request.system,
    lang: facts.locale,
    question,
  });
  const used = said.sources.flatMap((id) => named.get(id) ?? []);
  const sources = used.map(({ chunkId, title, text }) => ({ chunkId, title, text }));
  const sourceIds = used.map(({ sourceId }) => sourceId);
  const speaks = said.decision === "answer" || said.decision === "clarify";
  // To a greeting alone, a bot says our own words: no source says how to greet.
  if (said.decision === "clarify" && GREETING.test(foldWords(question).trim()))
    return {
      ...facts,
      decision: "clarify",
      text: GREETS[facts.locale],
      byModel: false,
      sources: [],
      sourceIds: [],
      checks: [],
      procedure: null,
      reason: null,
      stops: null,
      answer: said,
      topic: null,
    };
  const begun =
    said.decision === "procedure" && procedures.some(({ flow }) => flow === said.procedure)
      ? said.procedure
      : null;
  const isNever = document.topics?.some(({ name, never }) => never && name === said.topic) ?? false;
  return {
    ...facts,
    decision: said.decision,
    text: speaks ? said.text : "",
    byModel: speaks,
    sources,
    sourceIds,
    checks,
    procedure: begun,
    reason: said.reason.slice(0, 500) || null,
    stops: isNever
      ? "outside_scope"
      : begun === null
        ? stopOf(said.decision, checks, { question, messages })
        : null,
    answer: said,
    topic: said.topic,
  };
}

function stopOf(
  decision: Decision,
  checks: readonly Check[],
  { question, messages }: Pick<Question, "messages"> & { readonly question: string },
): HandOverReason | null {
  switch (decision) {
    case "answer":
    case "clarify":
      return checks.every(({ ok }) => ok) ? null : "checks_failed";
    case "silent":
      // A model may be silent after thanks. Everything else gets an answer or a person.
      return endsTalk(question) || sendsSigns(messages) ? null : "no_source";
    case "search":
    case "look_up":
    // A procedure that may not begin now: another was named, or its flow is not live.
    case "procedure":
    case "hand_over":
      return "no_source";
  }
}

const cited = (chunks: readonly Found[]): Citation[] =>
  chunks.map(({ chunkId, sourceId, title, text }, index) => ({
    id: `c${index + 1}`,
    chunkId,
    sourceId,
    title,
    text,
  }));

async function withQueries(
  context: ThinkContext,
  workspaceId: string,
  chunks: readonly Found[],
  queries: readonly string[],
  sources: readonly string[],
): Promise<Found[]> {
  const known = new Map(chunks.map((one) => [one.chunkId, one]));
  for (const query of queries.slice(0, MOST_QUERIES))
    for (const one of await searchKnowledge(context, workspaceId, query, {
      limit: FOUND_BY_QUERY,
      sources,
    }))
      known.set(one.chunkId, one);
  return [...known.values()];
}

/** What the customer wrote after the last answer: the question. */
export function lastWords(
  messages: readonly (Pick<BotMessage, "from" | "text"> & Partial<Pick<BotMessage, "type">>)[],
): string {
  const talk = messages.filter(({ from, type = "text" }) => isTalk({ from, type }));
  const last = talk.findLastIndex(({ from }) => from !== "customer");
  return talk
    .slice(last + 1)
    .flatMap(({ text }) => text ?? [])
    .join("\n");
}

function readSaid(
  document: Readonly<Record<string, unknown>>,
  topics: readonly string[],
): Said | null {
  const decision = DECISIONS.find((one) => one === document["decision"]);
  const { text, reason } = document;
  if (decision === undefined || typeof text !== "string") return null;
  const topic = [...topics, NO_TOPIC].find((one) => one === document["topic"]);
  // A bot with topics may have some that it never answers.
  if (topics.length > 0 && topic === undefined) return null;
  return {
    decision,
    text: text.trim(),
    sources: textsOf(document["sources"]),
    reason: typeof reason === "string" ? reason : "",
    queries: textsOf(document["queries"]),
    lookups: callsOf(document["lookups"]),
    procedure: typeof document["procedure"] === "string" ? document["procedure"] : "",
    topic: topic === undefined || topic === NO_TOPIC ? null : topic,
  };
}

/** What a model asks of look-ups. A server that ignores schemas may give anything. */
const callsOf = (value: unknown): LookupCall[] =>
  Array.isArray(value)
    ? value.slice(0, 20).flatMap((one: unknown) => {
        const { name, arguments: given } = Object(one) as { name?: unknown; arguments?: unknown };
        return typeof name === "string" ? [{ name, arguments: { ...Object(given) } }] : [];
      })
    : [];

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string").slice(0, 20) : [];
