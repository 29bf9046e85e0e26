import { bareWords } from "../../messages/search/search-terms.ts";
import { daysOf, factsOf, type Facts } from "./facts.ts";
import {
  clausesOf,
  givesOrders,
  gramShare,
  sentencesOf,
  Vocabulary,
  type Sentence,
} from "./sentences.ts";
import { namesOf } from "./week-days.ts";
import { SAYING } from "./word-lists.ts";

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

/** What a model answered, and what it was given to rest on. */
export interface Claim {
  readonly answer: {
    readonly decision:
      | "answer"
      | "clarify"
      | "search"
      | "look_up"
      | "procedure"
      | "hand_over"
      | "silent";
    readonly text: string;
    /** Ids of chunks, or of tool answers. */
    readonly sources: readonly string[];
  };
  /** What was retrieved for this turn. */
  readonly chunks: readonly Citable[];
  readonly toolAnswers: readonly ToolAnswer[];
}

/** An answer that cites more rests on none. */
export const MAX_CITED = 6;
/** Of a sentence that promises: the share of its letter grams that ONE sentence of a source must have. */
export const PROMISED = 0.8;
/** Of every other sentence: the share that ONE cited source must have, of its content words. */
export const GROUNDED = 0.5;
/** A sentence of so few content words needs more than that share. */
const SHORT = 4;

/** One source as it is compared. */
export interface Evidence {
  readonly facts: Facts;
  readonly statements: readonly Statement[];
  readonly words: Vocabulary;
  /** Words as they are written, for names. */
  readonly written: ReadonlySet<string>;
}

/** A sentence or a clause of a source, and what it is about: its title, and what "it" means. */
export interface Statement extends Sentence {
  readonly about: readonly string[];
  /** The letter grams of both. */
  readonly reach: ReadonlySet<string>;
  /** What commits in the title, as "deposit". */
  readonly named: readonly string[];
  readonly facts: Facts;
}

/** "It is paid at booking." says more of what is before it. */
const POINTS_BACK = /^(?:it|they|this|these|that|its|their|و?هو|و?هي|و?هذا|و?هذه)\s/iu;

/** The sentences of a source, and the clauses of those that have several. */
function statementsOf(title: string, text: string): Statement[] {
  const subjects = sentencesOf(title);
  const sentences = sentencesOf(`${title}\n${text}`);
  return sentences.flatMap((sentence, at) => {
    const before = POINTS_BACK.test(sentence.text) ? sentences.slice(at - 1, at) : [];
    const of = [...subjects, ...before];
    const about = of.flatMap(({ words }) => words);
    const grams = of.flatMap((one) => [...one.grams]);
    const named = subjects.flatMap(({ commitments }) => commitments);
    const clauses = clausesOf(sentence);
    const statements = clauses.length > 1 ? [sentence, ...clauses] : [sentence];
    return statements.map((statement) => ({
      ...statement,
      about,
      named,
      reach: new Set([...statement.grams, ...grams]),
      facts: factsOf(statement.text),
    }));
  });
}

/** What an answer may rest on: the chunks that it cites and the look-ups' answers. A question back cites nothing. */
export function evidenceFor({ answer, chunks, toolAnswers }: Claim): Evidence[] {
  const named =
    answer.decision === "clarify"
      ? chunks
      : // More are a fault of their own.
        chunks.filter(({ chunkId }) => answer.sources.includes(chunkId)).slice(0, MAX_CITED);
  const texts = [
    ...named.filter(isTrusted),
    ...toolAnswers
      .filter(({ text }) => !givesOrders(text))
      .map(({ text }) => ({ title: "", text })),
  ];
  const said = new Set(sentencesOf(answer.text).flatMap(({ words }) => words));
  return texts.map(({ title, text: whole }) => {
    const text = withoutOrders(whole, said);
    const statements = statementsOf(title, text);
    return {
      facts: factsOf(`${title}\n${text}`),
      statements,
      words: new Vocabulary([
        ...statements.flatMap(({ words }) => words),
        ...bareWords(namesOf(daysOf(text)).join(" ")),
      ]),
      written: new Set(`${title}\n${text}`.match(/\p{Lu}[\p{L}\d]+/gu)?.map(nameOf)),
    };
  });
}

/**
 * A text without the sentences that have somebody say something ("Say that …", "reply: …"), unless the answer has that word
 * too: what is behind it was not said by the business.
 */
const withoutOrders = (text: string, said: ReadonlySet<string>): string =>
  sentencesOf(text)
    .filter(
      ({ words }) =>
        !words.some((word, at) => isSaying(word) && !said.has(word) && !isNoun(words[at - 1])),
    )
    .map((one) => one.text)
    .join("\n");

/** "An answer from the manager". */
const isNoun = (before = ""): boolean => /^(?:an?|the|your|our|its)$/u.test(before);
const isSaying = (word: string): boolean =>
  SAYING.has(word) || SAYING.has(word.replace(/^[وف]/u, ""));

/** Whether a piece of knowledge gives no orders to an assistant: what does may be an attacker's. */
export const isTrusted = (chunk: Citable): boolean => !givesOrders(`${chunk.title}\n${chunk.text}`);

/** Names of people, places and brands in Latin letters: words with a capital that do not begin a sentence. */
export const properNames = (text: string): string[] =>
  (text.match(/(?<=[\p{L}\d,;:&()"'’-]\s)\p{Lu}[\p{L}\d]+/gu) ?? []).map(nameOf);

/** A name as it is compared. Some money has two. */
const nameOf = (name: string): string => {
  const lower = name.toLowerCase();
  return SAME_MONEY.get(lower) ?? lower;
};
const SAME_MONEY: ReadonlyMap<string, string> = new Map([
  ["kd", "kwd"],
  ["bd", "bhd"],
  ["sr", "sar"],
  ["qr", "qar"],
  ["dh", "aed"],
  ["dhs", "aed"],
  ["le", "egp"],
]);

/** Whether both say no as often. */
export const sameSense = (source: Sentence, said: Sentence): boolean =>
  source.negations === said.negations;

/** Whether a source has enough of a sentence's content words. */
export function covers({ words }: Evidence, { content }: Sentence): boolean {
  const held = content.filter((word) => words.has(word)).length;
  return content.length <= SHORT
    ? held > content.length * GROUNDED
    : held >= content.length * GROUNDED;
}

/** Whether what is nearest in the sources is a yes where this is a no, or a no where this is a yes. */
export function contradicts(all: readonly Sentence[], sentence: Sentence): boolean {
  const asks = /[?؟]$/u.test(sentence.text);
  // What says something of "Visa" is compared with what names it.
  const names = properNames(sentence.text);
  const named = all.filter(({ text }) => names.some((name) => text.toLowerCase().includes(name)));
  const statements = named.length > 0 ? named : all;
  const shares = statements.map((statement) => gramShare(sentence, statement.grams));
  const most = Math.max(0, ...shares);
  if (most < (asks ? PROMISED : GROUNDED)) return sentence.negations > 0 && !asks;
  return !statements.some(
    (statement, at) => (shares[at] ?? 0) >= most - 0.05 && sameSense(statement, sentence),
  );
}

/** A sentence as the words of a fault show it: at most 120 characters. */
export const quoted = ({ text }: Sentence): string =>
  text.length > 120 ? `${text.slice(0, 119).toWellFormed()}…` : text;
