import { foldWords } from "../../messages/search/search-terms.ts";

/** What is before a number limits it from below ("at least 3", "from 9") or from above ("up to 3", "until 9"). */
export type Limit = "least" | "most";

const phrases = (text: string): readonly (readonly string[])[] =>
  foldWords(text)
    .trim()
    .split(/\s*,\s*/u)
    .map((one) => one.split(" "));

/** Longer ones come first: "no more than" is no "more than". */
const LIMITS: readonly (readonly [Limit, readonly (readonly string[])[]])[] = [
  ["most", phrases("no more than, not more than, لا يزيد عن, لا تزيد عن, لا يتجاوز, لا تتجاوز")],
  ["least", phrases("no less than, not less than, لا يقل عن, لا تقل عن")],
  [
    "least",
    phrases(
      "at least, more than, starting from, starting at, minimum of, اكثر من, يبدا من, تبدا من, ابتداء من, بدءا من, اعتبارا من, يزيد عن, تزيد عن",
    ),
  ],
  ["most", phrases("up to, at most, less than, maximum of, اقل من, بحد اقصي")],
  ["least", phrases("over, above, minimum, فوق")],
  ["most", phrases("under, below, maximum, تحت")],
];
/** They limit what counts time, and name the ends of a span. */
const ENDS: readonly (readonly [Limit, readonly (readonly string[])[]])[] = [
  ["least", phrases("from, after, since, بعد, من")],
  ["most", phrases("to, until, till, within, before, الي, حتي, خلال, قبل")],
];
/** Verbs that name an end, up to three words before the number. */
const BEGINS = /^(?:starts?|begins?|opens?|[يتن]?بدا|[يتن]فتح)$/u;
const CEASES = /^(?:ends?|closes?|finish(?:es)?|[يتن]نتهي|[يتن]غلق)$/u;
/** What may stand between such a word and its number. */
const BETWEEN =
  /^(?:[$€£]|kwd|kd|sar|aed|usd|eur|omr|at|on|in|the|only|just|الساعه|في|يوم|مبلغ|سعر)$/u;

export interface Limited {
  readonly limit: Limit | null;
  /** True for words that say it of any number, as "up to". */
  readonly strict: boolean;
}
const NONE: Limited = { limit: null, strict: false };

/** "From 3 to 5 KWD", "from 3 KWD to 5". */
const isSpan = (tokens: readonly string[], at: number): boolean =>
  [1, 2].some((ahead) => /^(?:to|until|till|and|up)$/u.test(tokens[at + ahead] ?? ""));

/** How the number at a place is limited. */
export function limitAt(tokens: readonly string[], at: number): Limited {
  let before = at;
  const between = () => BETWEEN.test(tokens[before - 1] ?? "");
  for (let skipped = 0; skipped < 2 && between(); skipped++) before -= 1;
  const ends = (words: readonly string[]) =>
    words.every((word, index) => tokens[before - words.length + index] === word);
  for (const [limit, all] of LIMITS) if (all.some(ends)) return { limit, strict: true };
  for (const [limit, all] of ENDS)
    if (all.some(ends))
      return { limit, strict: tokens[before - 1] === "from" && !isSpan(tokens, at) };
  const verb = [1, 2, 3].map((back) => tokens[before - back] ?? "");
  if (verb.some((one) => BEGINS.test(one))) return { limit: "least", strict: false };
  return verb.some((one) => CEASES.test(one)) ? { limit: "most", strict: false } : NONE;
}
