import { foldWords } from "../../messages/search/search-terms.ts";
import { DATE_WORDS } from "./word-lists.ts";

const listed = (text: string): readonly string[] => foldWords(text).trim().split(/\s+/u);
/** From Sunday on, as answers write them. */
const NAMES = [
  listed("sunday monday tuesday wednesday thursday friday saturday"),
  listed("الاحد الاثنين الثلاثاء الاربعاء الخميس الجمعه السبت"),
];
/** As `DATE_WORDS` has them. */
const FORMS = NAMES.map((names) => names.map((name) => DATE_WORDS.get(name) ?? name));
const SPAN = /^(?:to|until|till|through|الي|حتي)$/u;

/** The one form of a day or a month that a word names, or null. "Mondays" are Monday. */
export function dateOf(token: string): string | null {
  const bare = token.replace(/^[وبل](?=ال)/u, "").replace(/(?<=day)s$/u, "");
  return DATE_WORDS.get(token) ?? DATE_WORDS.get(bare) ?? null;
}

/** The days of the week that folded words name, with those between two of a span, as 0 (Sunday) to 6. */
export function daysIn(tokens: readonly string[]): number[] {
  const named = tokens.map((token) => {
    const form = dateOf(token);
    return Math.max(...FORMS.map((forms) => (form === null ? -1 : forms.indexOf(form))));
  });
  const days = new Set(named.filter((day) => day >= 0));
  for (const [at, day] of named.entries()) {
    const end = spanEnd(tokens, named, at);
    for (let next = day; day >= 0 && end >= 0 && next !== end; next = (next + 1) % 7)
      days.add(next);
  }
  return [...days];
}

/** The last day of the span that begins at a place, or -1. */
const spanEnd = (tokens: readonly string[], named: readonly number[], at: number): number =>
  SPAN.test(tokens[at + 1] ?? "")
    ? Math.max(named[at + 2] ?? -1, tokens[at + 2] === "يوم" ? (named[at + 3] ?? -1) : -1)
    : -1;

/** The names of days, in both languages, as words of an answer have them. */
export const namesOf = (days: readonly number[]): string[] =>
  days.flatMap((day) => NAMES.flatMap((names) => names[day] ?? []));
