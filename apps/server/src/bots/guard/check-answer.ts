import { bareWords, foldWords } from "../../messages/search/search-terms.ts";
import { factsOf, joinFacts, unfounded } from "./facts.ts";
import {
  contentShare,
  givesOrders,
  longestStrangeRun,
  sentencesOf,
  gramShare,
  type Sentence,
} from "./sentences.ts";
import { ASSENT, commitmentOf, FUNCTION_WORDS } from "./word-lists.ts";

/** What is checked, in this order. */
export const CHECK_NAMES = [
  "plain",
  "language",
  "sources",
  "facts",
  "promises",
  "grounded",
  "rules",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface Check {
  readonly name: CheckName;
  readonly ok: boolean;
  /** Why it failed, for members; empty where it passed. */
  readonly detail: string;
}

/** A piece of text that an answer may rest on. */
interface Citable {
  /** What `answer.sources` names. */
  readonly chunkId: string;
  readonly title: string;
  readonly text: string;
}

/** A look-up's answer of this turn. An answer may cite it by its id. */
interface ToolAnswer {
  readonly id: string;
  readonly text: string;
}

interface Asked {
  readonly answer: {
    readonly decision: "answer" | "clarify" | "search" | "hand_over" | "silent";
    readonly text: string;
    /** Ids of chunks, or of tool answers. */
    readonly sources: readonly string[];
  };
  /** What was retrieved for this turn. */
  readonly chunks: readonly Citable[];
  readonly toolAnswers: readonly ToolAnswer[];
  /** The customer's messages of the talk. */
  readonly customerTexts: readonly string[];
  /** The system part of the prompt. */
  readonly rules: string;
  /** The language that the answer must be in. */
  readonly lang: "en" | "ar";
  /** The message that is answered. */
  readonly question: string;
}

/** The longest answer, in characters. */
export const MAX_ANSWER = 1_000;
/** Words of our rules in a row that no answer may have. */
const RULE_WORDS = 8;
/** An answer that cites more rests on none. */
const MAX_CITED = 6;
/** Of a sentence that promises: the share of its letter grams that ONE sentence of a source must have. */
const PROMISED = 0.8;
/** Of every other sentence: the share that the cited sources must have together. */
const GROUNDED = 0.5;
/** This many words in a row that no source has are a matter of their own. */
const STRANGE_RUN = 4;

/**
 * Decides whether what a model answered may be said to a customer, assuming that the model obeys whoever attacks: only
 * what is in a source passes, whatever the model says of itself. Pure. The answer may be said when
 * every check is ok. A decision without a text for the customer (`search`, `hand_over`, `silent`) has nothing to check.
 */
export function checkAnswer(asked: Asked): Check[] {
  const { decision, text } = asked.answer;
  if (decision !== "answer" && decision !== "clarify") return [];
  const tools = asked.toolAnswers.filter((one) => !givesOrders(one.text));
  const cited = citedOf(asked);
  const named = decision === "clarify" ? asked.chunks.filter(isTrusted) : cited;
  const texts = [
    ...named.flatMap(({ title, text: body }) => [title, body]),
    ...tools.map((tool) => tool.text),
  ];
  const evidence: Evidence = {
    texts,
    sentences: texts.flatMap(sentencesOf),
    grams: new Set(texts.flatMap(sentencesOf).flatMap(({ grams }) => [...grams])),
  };
  const sentences = sentencesOf(text);
  const faults: Readonly<Record<CheckName, string>> = {
    plain: plainFault(text),
    language: languageFault(text, asked.lang),
    sources: sourcesFault(asked, cited.length),
    facts: factsFault(sentences, evidence, asked.customerTexts),
    promises: promisesFault(sentences, evidence, asked.question),
    grounded:
      decision === "clarify"
        ? questionFault(sentences, evidence)
        : groundedFault(sentences, evidence),
    rules: rulesFault(text, asked.rules),
  };
  return CHECK_NAMES.map((name) => ({ name, ok: faults[name] === "", detail: faults[name] }));
}

interface Evidence {
  readonly texts: readonly string[];
  readonly sentences: readonly Sentence[];
  readonly grams: ReadonlySet<string>;
}

const isTrusted = (chunk: Citable): boolean => !givesOrders(`${chunk.title}\n${chunk.text}`);

const citedOf = ({ answer, chunks }: Asked): Citable[] =>
  chunks.filter((chunk) => answer.sources.includes(chunk.chunkId) && isTrusted(chunk));

/** Marks without a form of their own: direction, no width, tags, choices of a form other than an emoji's. */
const UNSEEN =
  /[\p{Cf}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]|\u034f|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]/u;
const CONTROL = /[\p{Cc}]/u;
const MARKUP = /\]\(|```|<\/?[a-z!][^>]*>|&#?\w+;|\{\{|\$\{/iu;
/** Letters that stand alone, one after the other: "r e f u n d", "ر.د". */
const SPELLED = /(?:(?<![\p{L}\p{M}])[\p{L}][\s.\-_*·]+){3}[\p{L}](?![\p{L}\p{M}])/u;

function plainFault(text: string): string {
  if (text.trim() === "") return "has no text";
  if (Array.from(text).length > MAX_ANSWER) return `is longer than ${MAX_ANSWER} characters`;
  if (UNSEEN.test(text)) return "has characters that are not seen";
  if (CONTROL.test(text.replaceAll(/[\n\r\t]/gu, ""))) return "has control characters";
  if (MARKUP.test(text)) return "has markup";
  if (SPELLED.test(text)) return "spells words letter by letter";
  const folded = foldWords(text);
  if (/[^\P{N}0-9]/u.test(folded)) return "has digits of another script";
  const mixed = folded.match(/[\p{L}\p{M}]+/gu)?.find(hasTwoScripts);
  return mixed === undefined ? "" : `has a word of two scripts: ${mixed}`;
}

const hasTwoScripts = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && /[^\p{Script=Latin}\p{M}]/u.test(word);

/** Words that other languages written in Latin letters have often, and English seldom. */
const NOT_ENGLISH = new Set(
  "le la les des une est vous nous votre pour avec dans que qui el los las una usted para con por su der die und ist sie nicht wir ihre mit von auf il che per sono bir ve bu icin ile você não está são yang dan untuk dengan anda".split(
    " ",
  ),
);

function languageFault(text: string, lang: "en" | "ar"): string {
  const letters = text.replaceAll(/\S+(?:@|:\/\/|\.\p{L})\S*/gu, "").match(/\p{L}/gu);
  if (!letters) return "";
  const arabic = letters.filter((one) => /\p{Script=Arabic}/u.test(one)).length;
  const latin = letters.filter((one) => /\p{Script=Latin}/u.test(one)).length;
  if (arabic + latin < letters.length) return "has letters of another script";
  if (lang === "ar") return arabic >= letters.length / 2 ? "" : "is not in Arabic";
  if (arabic > letters.length / 4) return "is not in English";
  const words = bareWords(text);
  const foreign = words.filter((word) => NOT_ENGLISH.has(word)).length;
  const english = words.filter((word) => FUNCTION_WORDS.has(word)).length;
  return foreign >= 2 && foreign > english ? "is not in English" : "";
}

function sourcesFault({ answer, chunks, toolAnswers }: Asked, trusted: number): string {
  const known = new Set([
    ...chunks.map(({ chunkId }) => chunkId),
    ...toolAnswers.map(({ id }) => id),
  ]);
  const strange = answer.sources.filter((id) => !known.has(id));
  if (strange.length > 0) return `cites what was not found: ${strange.slice(0, 3).join(", ")}`;
  if (answer.decision === "clarify") return "";
  if (new Set(answer.sources).size > MAX_CITED) return `cites more than ${MAX_CITED} sources`;
  const tools = toolAnswers.filter(
    (one) => answer.sources.includes(one.id) && !givesOrders(one.text),
  );
  if (answer.sources.length === 0) return "cites no source";
  return trusted + tools.length === 0 ? "cites only texts that give orders to an assistant" : "";
}

function factsFault(
  sentences: readonly Sentence[],
  { texts }: Evidence,
  customerTexts: readonly string[],
): string {
  const evidence = joinFacts(texts.map(factsOf));
  const own = joinFacts(customerTexts.map(factsOf));
  const wrong = sentences.flatMap(({ text }) => unfounded(text, evidence, own));
  return wrong.length === 0 ? "" : `no source has ${[...new Set(wrong)].slice(0, 5).join(", ")}`;
}

function promisesFault(
  sentences: readonly Sentence[],
  evidence: Evidence,
  question: string,
): string {
  const promising = sentences.filter(({ commitments }) => commitments.length > 0);
  const broken = promising.find(
    (one) => !evidence.sentences.some((source) => supports(source, one)),
  );
  if (broken) return `no source promises this: ${shown(broken)}`;
  // "Yes." to "Do I get a refund?" is a promise too.
  const asksPromise = bareWords(question).some((word) => commitmentOf(word) !== null);
  const assents = sentences.some(({ words }) => words.slice(0, 2).some((word) => ASSENT.has(word)));
  if (asksPromise && assents && promising.length === 0) return "agrees to what no source promises";
  return "";
}

/** Whether one sentence of a source says what a promise says, no less and with its conditions. */
function supports(source: Sentence, promise: Sentence): boolean {
  return (
    gramShare(promise, source.grams) >= PROMISED &&
    promise.commitments.every(
      (one) => source.commitments.includes(one) || foldWords(source.text).includes(one),
    ) &&
    sameSense(source, promise) &&
    promise.conditions >= source.conditions
  );
}

const sameSense = (source: Sentence, said: Sentence): boolean =>
  source.negations % 2 === said.negations % 2 || leadsWithNo(said, source);

/** "No, we do not": the first word answers, and the sentence says it again. */
const leadsWithNo = (said: Sentence, source: Sentence): boolean =>
  /^(?:no|لا)$/u.test(said.words[0] ?? "") && (said.negations - 1) % 2 === source.negations % 2;

function groundedFault(sentences: readonly Sentence[], evidence: Evidence): string {
  let founded = 0;
  for (const sentence of sentences) {
    if (sentence.content.length === 0) continue;
    founded += 1;
    const fault = sentenceFault(sentence, evidence);
    if (fault !== "") return fault;
  }
  return founded > 0 ? "" : "says nothing that a source says";
}

function sentenceFault(sentence: Sentence, { sentences, grams }: Evidence): string {
  if (contentShare(sentence.content, grams) < GROUNDED)
    return `no source says this: ${shown(sentence)}`;
  if (longestStrangeRun(sentence.content, grams) >= STRANGE_RUN)
    return `part of this is in no source: ${shown(sentence)}`;
  const near = sentences.filter((source) => gramShare(sentence, source.grams) >= PROMISED);
  return near.length > 0 && !near.some((source) => sameSense(source, sentence))
    ? `the source says the opposite: ${shown(sentence)}`
    : "";
}

/** What a question back may use beside the words of the sources. */
const ASKING = new Set(
  bareWords(
    "which mean order number name date city area size color colour model product branch email mail phone invoice share send give write tell details detail more another other type kind exactly looking bought address " +
      "تقصد تقصدين تعني رقم طلب اسم تاريخ مدينه منطقه مقاس لون موديل منتج فرع بريد هاتف فاتوره ترسل ارسل ترسلي تزودنا تزودني زودنا تفاصيل توضح توضيح نوع بالضبط تبحث اشتريت عنوان اكثر",
  ),
);
const LONGEST_QUESTION = 200;

/** A question back has no source, so it may ask only. */
function questionFault(sentences: readonly Sentence[], { grams }: Evidence): string {
  const last = sentences.at(-1);
  if (!last || !/[?؟]$/u.test(last.text)) return "does not ask";
  if (sentences.map(({ text }) => text).join(" ").length > LONGEST_QUESTION)
    return `asks in more than ${LONGEST_QUESTION} characters`;
  for (const sentence of sentences) {
    const strange = sentence.content.filter((word) => !ASKING.has(word));
    if (contentShare(strange, grams) < GROUNDED) return `no source says this: ${shown(sentence)}`;
  }
  return "";
}

function rulesFault(text: string, rules: string): string {
  const own = bareWords(rules);
  const runs = new Set<string>();
  for (let at = 0; at + RULE_WORDS <= own.length; at++)
    runs.add(own.slice(at, at + RULE_WORDS).join(" "));
  const said = bareWords(text);
  for (let at = 0; at + RULE_WORDS <= said.length; at++)
    if (runs.has(said.slice(at, at + RULE_WORDS).join(" "))) return "repeats our rules";
  return "";
}

const shown = ({ text }: Sentence): string =>
  text.length > 120 ? `${text.slice(0, 119).toWellFormed()}…` : text;
