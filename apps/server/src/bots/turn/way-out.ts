import { plainWords } from "../flow/plain-words.ts";

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
  const said = ` ${plainWords(text)} `;
  return [...BUILT_IN, ...own].some((word) => {
    const wanted = plainWords(word);
    if (wanted === "") return false;
    return ["", "ال", "لل", "بال", "ب", "ل", "مع "].some((before) =>
      said.includes(` ${before}${wanted} `),
    );
  });
}
