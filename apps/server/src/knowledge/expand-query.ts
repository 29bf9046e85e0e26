import { bareWords } from "../messages/search/search-terms.ts";
import { COMMON_WORDS } from "./common-words.ts";
import { gramsOfWord } from "./grams.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** What a word counts that the customer did not write, beside one that is in the question. */
const SYNONYM_WEIGHT = 0.5;
/** The most words of a question that are looked up. */
const MAX_QUERY_WORDS = 60;

/** The words of one meaning, each folded; one of several words is a phrase. */
export type SynonymGroup = readonly (readonly string[])[];

export const foldGroups = (groups: readonly (readonly string[])[]): SynonymGroup[] =>
  groups.map((group) => group.map(bareWords).filter((words) => words.length > 0));

let common: SynonymGroup[] | undefined;

/** The content words of a question; all of them when it has no other. */
export function queryWords(query: string): string[] {
  const words = bareWords(query).slice(0, MAX_QUERY_WORDS);
  const content = words.filter((word) => !STOP_WORDS.has(word));
  return content.length > 0 ? content : words;
}

/** The grams to look for and what each counts: those of the question, and those of words with the same meaning. */
export function weighGrams(
  query: string,
  own: readonly SynonymGroup[],
): ReadonlyMap<string, number> {
  common ??= foldGroups(COMMON_WORDS);
  const all = bareWords(query).slice(0, MAX_QUERY_WORDS);
  const weights = new Map<string, number>();
  const add = (word: string, weight: number) => {
    for (const gram of gramsOfWord(word)) weights.set(gram, (weights.get(gram) ?? 0) + weight);
  };
  for (const word of queryWords(query)) add(word, 1);
  const said = new Set(all);
  const others = new Set<string>();
  for (const group of [...common, ...own])
    if (group.some((phrase) => holds(all, phrase)))
      for (const phrase of group)
        for (const word of phrase) if (!said.has(word) && !STOP_WORDS.has(word)) others.add(word);
  // Grams that the question has itself are not counted twice for a word that is spelled nearly alike.
  const asked = new Set(weights.keys());
  for (const word of others)
    for (const gram of gramsOfWord(word))
      if (!asked.has(gram)) weights.set(gram, Math.max(weights.get(gram) ?? 0, SYNONYM_WEIGHT));
  return weights;
}

/** Whether the words of a phrase stand in a row. Endings of a single long word may differ. */
function holds(words: readonly string[], phrase: readonly string[]): boolean {
  const [only = ""] = phrase;
  if (phrase.length === 1)
    return words.some((word) => word === only || (only.length >= 4 && isFormOf(word, only)));
  return words.some((_, at) => phrase.every((one, next) => words[at + next] === one));
}

/** The word with at most three letters before or behind: "refunds", "استبدله", "للتوصيل". */
const isFormOf = (word: string, only: string): boolean =>
  word.length <= only.length + 3 && word.includes(only);
