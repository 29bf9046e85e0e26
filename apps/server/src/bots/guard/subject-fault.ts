import { foldWords } from "../../messages/search/search-terms.ts";
import { quoted, type Evidence, type Statement } from "./evidence.ts";
import { countsAlike, daysOf, factsOf, says, type NumberFact } from "./facts.ts";
import { countedFromAnother } from "./counted-from.ts";
import { clausesOf, Vocabulary, type Sentence } from "./sentences.ts";
import { MONEY } from "./word-lists.ts";

/**
 * What an answer says of a figure or a day that is in a source, but is said there of something else, or "": each figure of
 * the answer is in the sources, and so is each word, yet together they say what no source says.
 */
export function subjectFault(
  sentences: readonly Sentence[],
  evidence: readonly Evidence[],
): string {
  const statements = evidence.flatMap((one) => one.statements);
  for (const clause of sentences.flatMap(clausesOf)) {
    const { numbers } = factsOf(clause.text);
    const rate = strangeRate(clause, numbers, statements);
    if (rate !== null) return `no source counts by "${rate}": ${quoted(clause)}`;
    const from = countedFromAnother(clause, statements);
    if (from !== null) return `no source counts it from "${from}": ${quoted(clause)}`;
    if (onePiece(clause, numbers, statements))
      return `the source says this figure of several together: ${quoted(clause)}`;
    if (ofAnother(clause, numbers, statements))
      return `the source says this figure of something else: ${quoted(clause)}`;
    if (onAnotherDay(clause, numbers, statements))
      return `no source says this of the day: ${quoted(clause)}`;
  }
  return "";
}

/** What a rate counts: money and what is measured. */
const COUNTED = String.raw`(?:[$€£%]|kwd|kd|bhd|bd|sar|sr|omr|qar|qr|aed|dhs?|usd|eur|egp|dinars?|ri[ya]als?|dirhams?|dollars?|euros?|pounds?|fils|percent|km|kg|gb|litres?|دينار\p{L}*|دنانير|د\.ك|ريال\p{L}*|درهم\p{L}*|دراهم|دولار\p{L}*|جنيه\p{L}*|فلس|كيلو)`;
const AMOUNT = String.raw`(?:(?<before>\d[\d.,]*)\s?)?${COUNTED}(?:\s?(?<after>\d[\d.,]*))?`;
/** "3 KWD per item", "3 دنانير للكيلو", "3 دنانير شهريا". */
const RATES: readonly RegExp[] = [
  String.raw`\s(?:per|a|an|each|every|for (?:each|every|one)|by the)\s(?<noun>\p{L}+)`,
  String.raw`\s?/\s?(?<noun>\p{L}+)`,
  String.raw`\s(?:لكل|لل|في ال|عن كل|كل)\s?(?<noun>\p{L}{2,})`,
  String.raw`\s(?<noun>monthly|yearly|weekly|daily|hourly|شهريا|سنويا|يوميا|اسبوعيا)(?!\p{L})`,
].map((rate) => new RegExp(AMOUNT + rate, "gu"));
/** What is added to an amount, or is in it. */
const TAXES = /(?<!\p{L})(?:tax(?:es)?|vat|customs|(?:ال)?ضريب\p{L}*|(?:ال)?جمارك)(?!\p{L})/gu;

interface Rate {
  /** NaN where it is not in digits. */
  readonly amount: number;
  readonly noun: string;
}
const ratesIn = (folded: string): Rate[] =>
  RATES.flatMap((one) =>
    [...folded.matchAll(one)].map(({ groups }) => ({
      amount: Number((groups?.["before"] ?? groups?.["after"] ?? "-").replaceAll(",", "")),
      noun: groups?.["noun"] ?? "",
    })),
  );

/** What a rate counts by, where a source may write it in another form. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ["day", "dai"],
  ["daily", "day"],
]);
const stemOf = (noun: string): string =>
  noun.replace(/(?:ly|s)$/u, "").replace(/(?<=\p{Script=Arabic}{2})(?:ه|يا)$/u, "");

const isForm = (word: string, noun: string): boolean =>
  [stemOf(noun), FORMS.get(noun)].some(
    (stem) =>
      stem !== undefined && (/^[a-z]/u.test(stem) ? word.startsWith(stem) : word.includes(stem)),
  );

/** By what a clause counts its figures, or what it adds to them, where no source does with these figures; or null. */
function strangeRate(
  { text }: Sentence,
  numbers: readonly NumberFact[],
  statements: readonly Statement[],
): string | null {
  if (numbers.length === 0) return null;
  const folded = foldWords(text);
  const grounds = statements.filter(({ facts }) =>
    numbers.some((number) => facts.numbers.some((one) => says(one, number))),
  );
  const known = grounds.flatMap((one) => [
    ...foldWords(one.text).split(/[^\p{L}]+/u),
    ...one.about,
  ]);
  const sources = grounds.flatMap((one) => ratesIn(foldWords(one.text)));
  const isSaid = ({ amount, noun }: Rate): boolean => {
    // "12 KD per day or 70 KD per week": each amount has its own. "لليله" is read as "يله".
    const own = sources.filter((one) => one.amount === amount).map((one) => one.noun);
    return own.length > 0
      ? own.some((word) => isForm(word, noun) || isForm(noun, word))
      : known.some((word) => isForm(word, noun));
  };
  const strange = ratesIn(folded).find((rate) => !isSaid(rate));
  const tax = folded.match(TAXES)?.find((one) => !known.some((word) => isForm(word, one)));
  return strange?.noun ?? tax ?? null;
}

/** How many content words of a clause a statement has. */
function sharedWords({ words, about }: Statement, content: readonly string[]): number {
  const known = new Vocabulary([...words, ...about]);
  return content.filter((word) => known.has(word)).length;
}

/** Whether a source gives what the clause is about another figure of the same kind, and this figure to what is less like it. */
function ofAnother(
  { content }: Sentence,
  numbers: readonly NumberFact[],
  statements: readonly Statement[],
): boolean {
  return numbers.some((number) => {
    const alike = statements.filter(({ facts }) =>
      facts.numbers.some((one) => countsAlike(one, number) && !one.identifier),
    );
    const own = alike.filter(({ facts }) => facts.numbers.some((one) => says(one, number)));
    if (own.length === 0 || own.length === alike.length) return false;
    const most = (of: readonly Statement[]) =>
      Math.max(0, ...of.map((one) => sharedWords(one, content)));
    return most(own) < most(alike);
  });
}

/** Several that are sold together, and one of them. */
const TOGETHER =
  /(?<!\p{L})(?:pairs?|sets?|box(?:es)?|packs?|dozen|bundles?|زوج|طقم|علبه|كرتون|درزن|دزينه)(?!\p{L})/u;
const SINGLE = /(?<!\p{L})(?:one|single|each|piece|apiece|واحد|واحده|حبه|قطعه|فرده)(?!\p{L})/u;

/** "One sandal costs 12 KD" where the source says this of a pair. */
function onePiece(
  { text }: Sentence,
  numbers: readonly NumberFact[],
  statements: readonly Statement[],
): boolean {
  const folded = foldWords(text);
  if (!SINGLE.test(folded) || TOGETHER.test(folded)) return false;
  return numbers
    .filter(({ unit }) => unit !== "plain" && MONEY.has(unit))
    .some((number) => {
      const own = statements.filter(({ facts }) => facts.numbers.some((one) => says(one, number)));
      return own.length > 0 && own.every((one) => TOGETHER.test(foldWords(one.text)));
    });
}

const CLOSED = /\b(?:closed|shut)\b|(?:^|\s)(?:مغلق|مسكر|مقفل)\p{L}*/u;
const isClosed = (text: string): boolean => CLOSED.test(foldWords(text));

/** Whether the hours that a clause gives a day of the week, or that it is closed, are said of that day in no source. */
function onAnotherDay(
  { text }: Sentence,
  numbers: readonly NumberFact[],
  statements: readonly Statement[],
): boolean {
  const fits = ({ text: source, facts }: Statement) =>
    isClosed(source) === isClosed(text) &&
    (facts.numbers.length === 0 ||
      numbers.every((number) => facts.numbers.some((one) => says(one, number))));
  return daysOf(text).some((day) => {
    const ofDay = statements.filter(
      (one) => daysOf(one.text).includes(day) && clausesOf(one).length === 1,
    );
    const tells = ofDay.some((one) => isClosed(one.text) || one.facts.numbers.length > 0);
    return tells && !ofDay.some(fits);
  });
}
