import { bareWords } from "../messages/search/search-terms.ts";

/** The letter grams of one folded word: 3 and 4 letters each; a shorter word is its own gram. */
export function gramsOfWord(word: string): string[] {
  if (word.length <= 3) return [word];
  const grams: string[] = [];
  for (let at = 0; at + 3 <= word.length; at++) {
    grams.push(word.slice(at, at + 3));
    if (at + 4 <= word.length) grams.push(word.slice(at, at + 4));
  }
  return grams;
}

/** The letter grams of a text's words, folded and without their article (`foldWords`). Repeated ones stay. */
export const gramsOf = (text: string): string[] => bareWords(text).flatMap(gramsOfWord);
