import { foldWords } from "../../messages/search/search-terms.ts";

/** Words that lead to a person before a model is asked. */
const BUILT_IN: readonly string[] = [
  "human",
  "agent",
  "person",
  "representative",
  "real person",
  "موظف",
  "شخص",
  "انسان",
  "بشر",
  "موظفين",
];

/**
 * Whether a customer asks for a person: the text has one of the words, as a word. Arabic words may have their article or
 * a preposition before them. Pure.
 */
export function asksForPerson(text: string, own: readonly string[] = []): boolean {
  const said = ` ${wordsIn(text)} `;
  return [...BUILT_IN, ...own].some((word) => {
    const wanted = wordsIn(word);
    if (wanted === "") return false;
    return ["", "ال", "لل", "بال", "ب", "ل", "مع "].some((before) =>
      said.includes(` ${before}${wanted} `),
    );
  });
}

const wordsIn = (text: string): string =>
  foldWords(text.toLowerCase())
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
