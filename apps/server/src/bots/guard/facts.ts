import { foldWords } from "../../messages/search/search-terms.ts";
import {
  commitmentOf,
  IDENTIFIER,
  MONEY,
  NUMBER_WORDS,
  PRICE,
  UNIT_OF,
  type Unit,
} from "./word-lists.ts";
import { limitAt, type Limited } from "./limits.ts";
import { halfAt, minuteOf, writesTo24 } from "./time-of-day.ts";
import { dateOf, daysIn, namesOf } from "./week-days.ts";

type NumberUnit = Unit | "plain";

export interface NumberFact extends Limited {
  readonly value: string;
  /** The minute of the day, where it surely is one. */
  readonly minute: number | null;
  readonly unit: NumberUnit;
  readonly shown: string;
  /** The number of an order or the like, which a customer may hear again. */
  readonly identifier: boolean;
}

/** What can be looked up in a text: each must stand in a source before it may stand in an answer. */
export interface Facts {
  /** Addresses of pages, mail and accounts. */
  readonly links: readonly string[];
  /** Long numbers in groups, digits only. */
  readonly phones: readonly string[];
  readonly numbers: readonly NumberFact[];
  readonly dates: readonly string[];
}

const MAIL = /[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu;
const LINK = /(?:[a-z][a-z\d+.-]*:\/\/|www\.)[^\s<>"'()]+/gu;
/** "shop.example.com", "evil[.]com", "evil dot com". */
const HOST =
  /[\p{L}\d-]+(?:\s?(?:\.|\[\.\]|\(\.\)|\[dot\]|\(dot\)|\sdot\s|\sdwt\s|\sدوت\s)\s?[\p{L}\d-]+)*\s?(?:\[\.\]|\(\.\)|\[dot\]|\(dot\)|\sdot\s|\sدوت\s)\s?\p{L}{2,}(?:\/\S*)?/gu;
const BARE_HOST = /[\p{L}\d-]{2,}(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?:\/\S*)?/gu;
const HANDLE = /@[\p{L}\d_.]{2,}/gu;
/** Seven digits and more, in groups. */
const PHONE = /(?<![\p{L}\d])\+?\d(?:[\s().\-–]{0,2}\d){6,}(?![\p{L}\d])/gu;
const ISO_DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/u;

/** The facts of a text. Digits of Arabic count as those of English. */
export function factsOf(text: string): Facts {
  let rest = foldWords(text).replaceAll("٫", ".").replaceAll("٬", ",").replaceAll("٪", "%");
  const take = (pattern: RegExp): string[] => {
    const found: string[] = [];
    rest = rest.replace(pattern, (one) => {
      found.push(tidyLink(one));
      return " , ";
    });
    return found;
  };
  const links = [MAIL, LINK, HOST, BARE_HOST, HANDLE].flatMap(take);
  const phones: string[] = [];
  rest = rest.replace(PHONE, (one) => {
    // A date and a span of times are no phone.
    if (ISO_DATE.test(one.trim()) || /[:]/u.test(one)) return one;
    phones.push(one.replaceAll(/\D/gu, ""));
    return " , ";
  });
  const tokens = tokensOf(rest);
  return { links, phones, numbers: numbersOf(tokens, writesTo24(rest)), dates: datesOf(tokens) };
}

const tidyLink = (link: string): string =>
  link
    .replace(/^[a-z][a-z\d+.-]*:\/\//u, "")
    .replaceAll(/\s?(?:\[\.\]|\(\.\)|\[dot\]|\(dot\)|\sdot\s|\sدوت\s)\s?/gu, ".")
    .replace(/^www\./u, "")
    .replace(/[.,!?؟،:;/]+$/u, "");

/** Words, numbers and signs of money and per cent, each alone: "14days" is two. */
const tokensOf = (folded: string): string[] =>
  (
    folded
      .replaceAll(/(?<=(?:^|\s)[وبلف])(?=\d)/gu, " ")
      // "A day before" is one day before.
      .replaceAll(
        /\ban? (?=(?:minute|hour|day|week|month|year) (?:before|after|earlier|later)\b)/gu,
        "1 ",
      )
      .replaceAll(
        /(?<=\d)(?=(?:kwd|kd|sar|aed|usd|eur|days?|hours?|hrs?|h|min|am|pm|kg|g|mg|ml|cm|mm|km|lbs?|oz|%)\b)/gu,
        " ",
      )
      .match(
        /[\p{L}\p{M}]*\d[\p{L}\p{M}\d]*(?:[.,:/-]\d[\p{L}\d]*)*|[\p{L}\p{M}]+(?:\.[\p{L}]\b)?|[$€£¥%]/gu,
      ) ?? []
  ).map((one) => one.trim());

const withoutArticle = (word: string): string => word.replace(/^(?:وال|بال|ال|لل|و|ب|ل)/u, "");

const unitOf = (token: string): Unit | undefined =>
  UNIT_OF.get(token) ?? UNIT_OF.get(withoutArticle(token));

/** Between a number and its unit: "2 working days", "5 hundred dinars". */
const BETWEEN = /^(?:hundred|thousand|working|business|full|more|الف|مئه|مائه)$/u;

function unitAt(tokens: readonly string[], at: number): NumberUnit {
  const next = tokens[at + 1] ?? "";
  const behind = unitOf(next) ?? (BETWEEN.test(next) ? unitOf(tokens[at + 2] ?? "") : undefined);
  if (behind !== undefined) return behind;
  const before = unitOf(tokens[at - 1] ?? "");
  return before !== undefined && MONEY.has(before) ? before : "plain";
}

function numbersOf(tokens: readonly string[], to24: boolean): NumberFact[] {
  const found: NumberFact[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    const before = [tokens[at - 1], tokens[at - 2], tokens[at - 3]];
    const identifier = before.some(
      (one) => one !== undefined && (IDENTIFIER.has(one) || IDENTIFIER.has(withoutArticle(one))),
    );
    if (/\d/u.test(token)) {
      const unit = unitAt(tokens, at);
      const half = halfAt(tokens, at + 1);
      const limited = limitAt(tokens, at);
      for (const [value, time] of valuesOf(token)) {
        const minute = minuteOf(time, half, to24);
        found.push({ value, minute, unit, shown: token, identifier, ...limited });
      }
      continue;
    }
    const worth = NUMBER_WORDS.get(token) ?? NUMBER_WORDS.get(withoutArticle(token));
    // "بالمئه" says per cent; the number is before it.
    if (worth === undefined || unitOf(token) === "percent") continue;
    // "يومين" is number and unit in one.
    const unit = unitOf(token) ?? unitAt(tokens, at);
    // "one of us", "واحد منا"
    if (worth === 1 && unit === "plain") continue;
    const [value, used] = composed(tokens, at, worth);
    found.push({
      value: String(value),
      minute: minuteOf(String(value), halfAt(tokens, at + used + 1), to24),
      ...limitAt(tokens, at),
      unit: used > 0 ? unitAt(tokens, at + used) : unit,
      shown: token,
      identifier,
    });
    at += used;
  }
  return found;
}

/** "twenty five", "five hundred", "خمسه وعشرين": the value, and how many more words it took. */
function composed(tokens: readonly string[], at: number, first: number): [number, number] {
  let value = first;
  let used = 0;
  for (;;) {
    const next = tokens[at + used + 1] ?? "";
    const worth = NUMBER_WORDS.get(next) ?? NUMBER_WORDS.get(next.replace(/^و/u, ""));
    if (worth === undefined || unitOf(next) === "percent" || used === 3) return [value, used];
    if (worth >= 100 && value < worth) value *= worth;
    else if (next.startsWith("و") || (value >= 20 && worth < 10)) value += worth;
    else return [value, used];
    used += 1;
  }
}

/**
 * The values of a token with digits. Beside each is the text of the time of day that begins with it, or "". A date stays
 * whole, a span is two values.
 */
function valuesOf(token: string): [value: string, time: string][] {
  if (ISO_DATE.test(token)) return [[token.replaceAll(/[/.]/gu, "-"), ""]];
  if (/\p{L}/u.test(token)) return [[token, ""]];
  return token.split(/[-/]/u).flatMap((part) =>
    part
      .replace(/:00$/u, "")
      .split(":")
      .map((one, index): [string, string] => [valueOf(one), index === 0 ? part : ""])
      .filter(([value]) => value !== ""),
  );
}

/** "1,000" is 1000, "2.500" is 2.5. */
const valueOf = (text: string): string => {
  const plain = text.replaceAll(/,(?=\d{3}(?:\D|$))/gu, "").replaceAll(",", ".");
  const value = Number(plain);
  return Number.isFinite(value) && plain.length < 16 ? String(value) : plain;
};

/** The days of the week that a text names, those within its spans too, as 0 (Sunday) to 6. */
export const daysOf = (text: string): number[] => daysIn(tokensOf(foldWords(text)));

const datesOf = (tokens: readonly string[]): string[] => [
  ...tokens.flatMap((token) => dateOf(token) ?? []),
  ...namesOf(daysIn(tokens)).flatMap((name) => dateOf(name) ?? []),
];

/**
 * Facts of a sentence that no source has. `own` are the customer's words: of them only the number of an order or the like
 * may be said again. A link or a phone number that a customer wrote may be an attacker's.
 */
export function unfounded(answer: string, evidence: Facts, own: Facts): string[] {
  const facts = factsOf(answer);
  const links = new Set(evidence.links);
  const phones = new Set([...evidence.phones, ...evidence.numbers.map(({ value }) => value)]);
  const dates = new Set(evidence.dates);
  const folded = foldWords(answer);
  const promised = folded
    .split(/[^\p{L}]+/u)
    .some((word) => PRICE.has(word) || commitmentOf(word) !== null);
  const ownValues = new Set([...own.numbers.map(({ value }) => value), ...own.phones]);
  const wrong = [
    ...facts.links.filter(
      (link) => !links.has(link) && !evidence.links.some((one) => one.startsWith(`${link}/`)),
    ),
    ...facts.dates.filter((date) => !dates.has(date)),
    ...facts.phones.filter(
      (phone) => !phones.has(phone) && !evidence.phones.some((one) => one.endsWith(phone)),
    ),
  ];
  for (const fact of facts.numbers) {
    const { value, unit, shown, identifier } = fact;
    const founded = evidence.numbers.some((one) => says(one, fact));
    const repeated = identifier && unit === "plain" && !promised && ownValues.has(value);
    if (!founded && !repeated) wrong.push(shown);
  }
  return wrong;
}

/** Whether the number of a source is the one that an answer names. */
export const says = (source: NumberFact, said: NumberFact): boolean =>
  isSame(source, said) && !isTurned(source, said);

function isSame(source: NumberFact, said: NumberFact): boolean {
  if (source.minute !== null && said.minute !== null) return source.minute === said.minute;
  const [its, own] = [source, said].map(inSmaller);
  return (
    its?.value === own?.value &&
    (its?.unit === own?.unit || source.unit === "plain" || said.unit === "plain")
  );
}

/** Whether both count the same, as days and weeks do. */
export const countsAlike = (one: NumberFact, other: NumberFact): boolean =>
  inSmaller(one).unit === inSmaller(other).unit;

/** Two weeks are 14 days, and two years 24 months. */
function inSmaller({ value, unit }: NumberFact): Pick<NumberFact, "value" | "unit"> {
  if (unit === "week") return { value: String(Number(value) * 7), unit: "day" };
  if (unit === "year") return { value: String(Number(value) * 12), unit: "month" };
  return { value, unit };
}

/** "Below 25" where the source says "above 25", and "up to 3 KWD" where it says "3 KWD". */
function isTurned(source: NumberFact, said: NumberFact): boolean {
  if (said.limit === null) return false;
  if (source.limit !== null) return source.limit !== said.limit;
  return said.strict && said.unit !== "plain" && (MONEY.has(said.unit) || said.unit === "percent");
}

export const joinFacts = (all: readonly Facts[]): Facts => ({
  links: all.flatMap(({ links }) => links),
  phones: all.flatMap(({ phones }) => phones),
  numbers: all.flatMap(({ numbers }) => numbers),
  dates: all.flatMap(({ dates }) => dates),
});
