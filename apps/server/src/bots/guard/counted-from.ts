import { bareWords, foldWords } from "../../messages/search/search-terms.ts";
import { factsOf, says, type NumberFact } from "./facts.ts";
import { Vocabulary, type Sentence } from "./sentences.ts";
import type { Statement } from "./evidence.ts";
import { FUNCTION_WORDS, NUMBER_WORDS } from "./word-lists.ts";

/** A span of time, and what it is counted from: "14 days of receipt". */
interface Counted {
  readonly number: NumberFact;
  readonly before: boolean;
  /** The words behind, the nearest first. */
  readonly event: readonly string[];
}

/** "14 working days after we receive it", "48 ساعه قبل الوصول", "قبل 48 ساعه من الوصول". */
const SPANS: readonly RegExp[] = [
  String.raw`(?<span>\p{L}*\d*\s(?:working |business |full |calendar )?(?:minute|hour|day|night|week|month|year)s?)\s(?<way>of|from|after|since|following|before|prior to|ahead of)\s(?<event>[\p{L}\p{M}'’ -]+)`,
  String.raw`(?<ahead>قبل\s)?(?<span>(?:[\p{L}\d]+\s)?(?:دقيق|دقائق|ساع|يوم|ايام|ليله|ليالي|اسبوع|اسابيع|شهر|اشهر|شهور|سن|عام|اعوام)\p{L}*)(?:\sعمل)?\s(?<way>من|بعد|قبل)\s(?<event>[\p{L}\p{M} ]+)`,
].map((one) => new RegExp(one, "gu"));

/** Say when of the event, and not which. */
const WHEN = new Set(
  "date day time moment hour actual original initial تاريخ يوم وقت موعد لحظه ان".split(" "),
);
/** The words behind that may name the event. */
const NAMING = 3;

/** The beginnings of words that name the same event. */
const EVENTS: readonly (readonly string[])[] = [
  "receipt receiv deliver arriv get got reach check-in handover استلام تسليم توصيل وصول استلم تستلم نستلم يصل تصل وصل",
  "order purchas buy bought book reserv شراء طلب حجز اشتر تشتر",
  "pay paid دفع سداد تدفع",
  "depart leav check-out مغادر خروج",
].map((line) => line.split(" "));

const eventsIn = (words: readonly string[]): number[] =>
  EVENTS.flatMap((stems, at) =>
    words.some((word) => stems.some((stem) => word.startsWith(stem))) ? [at] : [],
  );

const countedIn = (text: string): Counted[] =>
  SPANS.flatMap((one) => [...foldWords(text).matchAll(one)]).flatMap(({ groups }) => {
    const { span = "", way = "", ahead, event = "" } = groups ?? {};
    return factsOf(span).numbers.map((number) => ({
      number,
      before: ahead !== undefined || /^(?:before|prior|ahead|قبل)/u.test(way),
      event: bareWords(event)
        .filter((word) => !FUNCTION_WORDS.has(word) || eventsIn([word]).length > 0)
        .filter((word) => !WHEN.has(word) && !NUMBER_WORDS.has(word))
        .slice(0, NAMING),
    }));
  });

/**
 * From what an answer counts a span of time that the sources count from something else, or null: "14 days of payment"
 * where the source says "of receipt", "after arrival" where it says "before".
 */
export function countedFromAnother(
  { text }: Sentence,
  statements: readonly Statement[],
): string | null {
  for (const { number, before, event } of countedIn(text)) {
    const sources = statements.flatMap((one) =>
      countedIn(one.text)
        .filter((its) => says(its.number, number) && its.event.length > 0)
        .map((its) => ({ ...its, words: new Vocabulary([...one.words, ...one.about]) })),
    );
    if (sources.length === 0 || event.length === 0) continue;
    const named = eventsIn(event);
    const isSaid = sources.some((its) => {
      if (its.before !== before) return false;
      const own = eventsIn(its.event);
      return named.length > 0 && own.length > 0
        ? named.some((one) => own.includes(one))
        : event.some((word) => its.words.has(word));
    });
    if (!isSaid) return event.join(" ");
  }
  return null;
}
