import { bareWords } from "../../messages/search/search-terms.ts";
import { evidenceFor, isTrusted, MAX_CITED, type Claim } from "./evidence.ts";
import { factsFault } from "./facts-fault.ts";
import { groundedFault } from "./grounded-fault.ts";
import { languageFault, MAX_ANSWER, plainFault } from "./plain-fault.ts";
import { promisesFault } from "./promises-fault.ts";
import { questionFault } from "./question-fault.ts";
import { givesOrders, sentencesOf } from "./sentences.ts";

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

interface Asked extends Claim {
  /** The customer's messages of the talk. */
  readonly customerTexts: readonly string[];
  /** The system part of the prompt. */
  readonly rules: string;
  /** The language that the answer must be in. */
  readonly lang: "en" | "ar";
  /** The message that is answered. */
  readonly question: string;
}

/** Words of our rules in a row that no answer may have. */
const RULE_WORDS = 8;

/**
 * Decides whether what a model answered may be said to a customer, assuming that the model obeys whoever attacks: only
 * what is in a source passes, whatever the model says of itself. Pure. The answer may be said when
 * every check is ok. A decision without a text for the customer (`search`, `look_up`, `procedure`, `hand_over`, `silent`) has nothing to check.
 */
export function checkAnswer(given: Asked): Check[] {
  const { decision } = given.answer;
  if (decision !== "answer" && decision !== "clarify") return [];
  const asked = bounded(given);
  const { text } = asked.answer;
  const sentences = sentencesOf(text);
  const evidence = evidenceFor(asked);
  const faults: Readonly<Record<CheckName, string>> = {
    plain: plainFault(given.answer.text),
    language: languageFault(text, asked.lang),
    sources: sourcesFault(asked),
    facts: factsFault(sentences, evidence, asked.customerTexts),
    promises: promisesFault(sentences, evidence, asked.question),
    grounded:
      decision === "clarify"
        ? questionFault(sentences, evidence)
        : groundedFault(sentences, evidence, asked.question),
    rules: rulesFault(text, asked.rules),
  };
  return CHECK_NAMES.map((name) => ({ name, ok: faults[name] === "", detail: faults[name] }));
}

/**
 * The same with no word that is longer than any real one, and of the answer what it may be long: strangers write all of it, and
 * the patterns of the guard look at each letter of a word from each letter before it.
 */
function bounded({ answer, chunks, toolAnswers, customerTexts, question, ...rest }: Asked): Asked {
  return {
    ...rest,
    answer: { ...answer, text: parted(answer.text.slice(0, 2 * MAX_ANSWER)) },
    chunks: chunks.map((one) => ({ ...one, title: parted(one.title), text: parted(one.text) })),
    toolAnswers: toolAnswers.map((one) => ({ ...one, text: parted(one.text) })),
    customerTexts: customerTexts.map(parted),
    question: parted(question),
  };
}

/** Long addresses are whole, and what is longer is parted. */
const LONGEST_WORD = /\S{200}(?=\S)/gu;
const parted = (text: string): string => text.replaceAll(LONGEST_WORD, "$& ");

function sourcesFault({ answer, chunks, toolAnswers }: Asked): string {
  const known = new Set([
    ...chunks.map(({ chunkId }) => chunkId),
    ...toolAnswers.map(({ id }) => id),
  ]);
  const strange = answer.sources.filter((id) => !known.has(id));
  if (strange.length > 0) return `cites what was not found: ${strange.slice(0, 3).join(", ")}`;
  if (answer.decision === "clarify") return "";
  if (new Set(answer.sources).size > MAX_CITED) return `cites more than ${MAX_CITED} sources`;
  if (answer.sources.length === 0) return "cites no source";
  const trusted =
    chunks.some((chunk) => answer.sources.includes(chunk.chunkId) && isTrusted(chunk)) ||
    toolAnswers.some(({ id, text }) => answer.sources.includes(id) && !givesOrders(text));
  return trusted ? "" : "cites only texts that give orders to an assistant";
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
