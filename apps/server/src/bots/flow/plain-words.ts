import { foldWords } from "../../messages/search/search-terms.ts";

/** Words as they are compared: without case, marks and signs, with one form of each Arabic letter and each digit. */
export const plainWords = (text: string): string =>
  foldWords(text)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Whether a text has a word or phrase in it. One of signs alone, as 👍, is looked for as it is; an empty one is in no text. */
export function holdsPhrase(text: string, phrase: string): boolean {
  const words = plainWords(phrase);
  if (words !== "") return ` ${plainWords(text)} `.includes(` ${words} `);
  return phrase.trim() !== "" && text.includes(phrase.trim());
}

/** Whether a text is a word or phrase and nothing else. An empty one is no text. */
export function isPhrase(text: string, phrase: string): boolean {
  const words = plainWords(phrase);
  if (words !== "") return plainWords(text) === words;
  return phrase.trim() !== "" && text.trim() === phrase.trim();
}
