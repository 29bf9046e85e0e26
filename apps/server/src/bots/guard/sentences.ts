import { gramsOfWord } from "../../knowledge/grams.ts";
import { bareWords, foldWords } from "../../messages/search/search-terms.ts";
import {
  COMMITTING_PHRASES,
  commitmentOf,
  CONDITION,
  COURTESY,
  FUNCTION_WORDS,
  IRREGULAR,
  NEGATION,
  POINTERS,
  NUMBER_WORDS,
  PLACES,
  UNIT_OF,
} from "./word-lists.ts";

/** One sentence as the guard compares it. */
export interface Sentence {
  readonly text: string;
  /** Folded, without article, in their order. */
  readonly words: readonly string[];
  readonly grams: ReadonlySet<string>;
  /** The words that carry content: without courtesies and function words. */
  readonly content: readonly string[];
  /** What commits the business in it, or says that something was done. */
  readonly commitments: readonly string[];
  /** How often it says no. A "No," at its beginning answers, and the rest says it again. */
  readonly negations: number;
  readonly conditions: number;
}

/** Numbers and their units are looked up as facts. */
const isContent = (word: string): boolean =>
  !FUNCTION_WORDS.has(word) &&
  !COURTESY.has(word) &&
  !/\d/u.test(word) &&
  !UNIT_OF.has(word) &&
  !NUMBER_WORDS.has(word);

const END = /(?<=[.!?؟…])\s+|[\n\r;؛•|]+/u;

export const sentencesOf = (text: string): Sentence[] =>
  text.split(END).flatMap((one) => (/[\p{L}\p{N}]/u.test(one) ? [sentenceOf(one.trim())] : []));

/** "أرسلنا", "حذفت": what "I" or "we" did is the first word, and ends so. */
const DID = /^(?:(?:لقد|قد|و|نعم[,،]?)\s)?(\p{Script=Arabic}{3,5}(?:ت|نا))(?=\s)/u;
/** "Gluten-free" gives nothing away. */
const WITHOUT =
  /\b(?:gluten|sugar|nut|dairy|lactose|alcohol|smoke|allergen|fragrance|pork)s?[ -]free\b/gu;

/** What commits the business in a folded text, or says that something was done. */
export function commitmentsIn(folded: string): string[] {
  const did = DID.exec(folded)?.[1];
  return [
    ...(folded.replaceAll(WITHOUT, " ").match(/\p{L}+/gu) ?? []).flatMap(
      (word) => commitmentOf(word) ?? [],
    ),
    ...(FIRST_PERSON.test(folded) ? [DONE] : []),
    ...(/(?:percent|%) (?:off|less|cheaper)/u.test(folded) ? ["discount"] : []),
    ...(did !== undefined && !FUNCTION_WORDS.has(did) && !NEGATION.has(did) ? [DONE] : []),
  ];
}
const DONE = "done";
const FIRST_PERSON =
  /\b(?:i|we) (?:just |already |also |now )?(?:(?!need|feed|speed|exceed|proceed|succeed)\p{L}+ed|sent|gave|took|made|paid|told|put|got|brought|bought|sold|gone|went)\b/u;

function sentenceOf(text: string): Sentence {
  // "don't" and "we'll" are one word each where the apostrophe is not read as a gap.
  const words = inSmallUnits(
    bareWords(
      text
        .replace(/n['’]t\b/giu, " not")
        .replace(/ما عدا/gu, "ماعدا")
        .replace(/\bper ?cent\b/giu, "%")
        // "What guests forget", whose verb names its object again, is no "not".
        .replaceAll(/(^|\s)ما (?=[يتن]\p{L}{2,}(?:ه|ها)(?:\s|$))/gu, "$1الذي "),
    ).map((word) => IRREGULAR.get(word) ?? word),
  );
  const folded = foldWords(text);
  const phrases = COMMITTING_PHRASES.flatMap((one) => one.exec(folded)?.[0] ?? []);
  return {
    text,
    words,
    grams: new Set(words.flatMap(gramsOfWord)),
    content: words.filter(isContent),
    // With the article: "إلغاء" begins like one.
    commitments: [...commitmentsIn(folded), ...phrases],
    negations:
      words.filter((word) => NEGATION.has(word)).length -
      (/^(?:no(?: need| problem)?|لا(?: داعي| حاجة| مشكلة)?)[,،.!]/iu.test(text) ? 1 : 0),
    conditions: words.filter((word, at) => isCondition(word, words.slice(at + 1, at + 4))).length,
  };
}

/** "Two years" as "24 months", "اسبوعين" as "14 يوم": so both are compared. */
const inSmallUnits = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    const before = worthOf(words[at - 1] ?? "");
    const unit = UNIT_OF.get(word);
    const small = unit === undefined ? undefined : SMALLER.get(unit);
    if (small) {
      const worth = before ?? worthOf(word);
      const name = small[/^[a-z]/u.test(word) ? "en" : "ar"];
      return worth === undefined ? [word] : [String(worth * small.times), name];
    }
    const next = SMALLER.has(UNIT_OF.get(words[at + 1] ?? "") ?? "plain");
    return next && worthOf(word) !== undefined && unit === undefined ? [] : [word];
  });
const worthOf = (word: string): number | undefined =>
  /^\d+$/u.test(word) ? Number(word) : NUMBER_WORDS.get(word);
const SMALLER: ReadonlyMap<string, { times: number; en: string; ar: string }> = new Map([
  ["week", { times: 7, en: "days", ar: "يوم" }],
  ["year", { times: 12, en: "months", ar: "شهر" }],
]);

/** "Under 25 KWD" limits; "under the hotel" is a place. */
const isCondition = (word: string, next: readonly string[]): boolean =>
  CONDITION.has(word) &&
  (!PLACES.has(word) || next.some((one) => /\d/u.test(one) || NUMBER_WORDS.has(one)));

/** The clauses of a sentence; of one without several, itself. */
export function clausesOf(sentence: Sentence): Sentence[] {
  const clauses = sentence.text.split(CLAUSE).filter((clause) => /\p{L}/u.test(clause));
  return clauses.length > 1 ? clauses.map(sentenceOf) : [sentence];
}

/** The parts of a sentence that may be about different things: behind a comma, a semicolon, a "but". */
export const topicsOf = ({ text }: Sentence): Sentence[] =>
  text.split(/[,،;]\s|\s(?=(?:but|أما|بينما|لكن)\s)/u).map(sentenceOf);

/** "10, 25 and 50" is one clause, and "واحد" and "وجود" are one word each: the first letter is no "and". */
const CLAUSE =
  /[,،;:]\s(?!\d)|\s(?:and|but|or)\s(?!\d)|\sو(?!احد|جود|صل|صول|قت|قع|قف|قوف|عد|ضع|رق|رد|رود|حد|لد|زن|سط|ظيف|كيل|لاء|زار|سائل|جب|ثائق|ثيق|طن|فر|افق|اتساب|اجه|اسع|اضح|فق|صف|رش|ديع|دائع)(?=\p{L}{3}|لا\s)/u;

/** How much of two sentences' letter grams is in both, of 0 to 1. Numbers do not count. */
export function likeness(one: Sentence, other: Sentence): number {
  const [own, its] = [one, other].map(
    ({ words }) =>
      new Set(
        words
          .filter((word) => !/\d/u.test(word) && !NUMBER_WORDS.has(word) && !COURTESY.has(word))
          .flatMap(gramsOfWord),
      ),
  );
  if (!own || !its) return 0;
  const shared = countShared(own, its);
  return own.size + its.size === 0 ? 0 : shared / (own.size + its.size - shared);
}

/** What share of a sentence's letter grams the others have. Courtesies do not count. */
export function gramShare(sentence: Sentence, grams: ReadonlySet<string>): number {
  const own = new Set(
    sentence.words
      .filter((word) => word.length > 1 && !COURTESY.has(word) && !POINTERS.has(word))
      .flatMap(gramsOfWord),
  );
  return own.size === 0 ? 0 : countShared(own, grams) / own.size;
}

const countShared = (own: ReadonlySet<string>, grams: ReadonlySet<string>): number => {
  let shared = 0;
  for (const gram of own) if (grams.has(gram)) shared += 1;
  return shared;
};

/** "طلبك" is "طلب" with "your". */
const POSSESSIVE = /(?<=\p{L}{3})(?:كم|ها|نا|هم|ك|ه|ي)$/u;

/** "غرفتك" is "غرفة" with "your". */
const OF_FEMININE = /(?<=\p{L}{3})ت(?:كم|ها|نا|هم|ك|ه|ي)$/u;

/** "تكلف" is "يكلف" of another person. */
const PERSONS = ["ي", "ت", "ن", "ا"];
const PERSON = /^[يتنا]\p{Script=Arabic}{3,}$/u;

/** Words of a source, by which the words of an answer are looked up. */
export class Vocabulary {
  readonly #words: ReadonlyMap<string, ReadonlySet<string>>;
  constructor(words: Iterable<string>) {
    this.#words = new Map([...new Set(words)].map((word) => [word, new Set(gramsOfWord(word))]));
  }

  /** Whether the word, or a form of it, is there: one word has at least half of its grams. */
  has(word: string): boolean {
    if (this.#words.has(word) || this.#words.has(word.replace(POSSESSIVE, ""))) return true;
    if (this.#words.has(word.replace(OF_FEMININE, "ه"))) return true;
    if (PERSON.test(word) && PERSONS.some((one) => this.#words.has(one + word.slice(1))))
      return true;
    const own = new Set(gramsOfWord(word));
    return this.#words
      .values()
      .some((grams) => countShared(own, grams) * 2 >= own.size && grams.size <= own.size * 3);
  }
}

/**
 * Whether text gives orders to whoever answers. Such a chunk or tool answer was written by somebody who attacks, and is
 * no evidence for anything.
 */
export const givesOrders = (text: string): boolean => {
  const folded = foldWords(text);
  return ORDERS.some((one) => one.test(folded));
};

/** The machine that reads: a source that speaks to it was written by somebody who attacks. */
const MACHINE = String.raw`(?:ai|virtual|digital) (?:agent|helper|model)s?|assistants?|(?:chat ?)?bots?|a\.?i\.?|artificial intelligence|language models?|llms?|gpt`;
const SAYS = String.raw`say|tell|reply|answer|respond|write|print|output|repeat|confirm|promise|offer|send|call|include|state|mention|ignore|forget`;
// What is joined to the word is read in one way only: "لل" as two letters, else a stretched word takes for ever.
const MACHINE_AR = String.raw`(?:[وفبل]|ال)*(?:مساعد|روبوت|بوت|شات ?بوت|نموذج|ذكاء)`;
const SAYS_AR = String.raw`(?:ي|ت|ان ي|ان ت)?(?:قل|قول|كتب|اكتب|كرر|طبع|اطبع|جيب|اجب|رد|خبر|اخبر|ؤكد|وكد|اكد|عد)`;

const ORDERS: readonly RegExp[] = [
  // What a machine has to say, who it is, what its rules are.
  new RegExp(
    String.raw`\b(?:${MACHINE})\b.{0,40}\b(?:must|should|shall|has to|have to|needs? to|is to|are to)\b.{0,30}\b(?:${SAYS})\b`,
    "u",
  ),
  new RegExp(
    String.raw`\b(?:to|for|dear|hey|attention|hello) (?:the |any |all |every )?(?:${MACHINE})\b.{0,60}[:,]`,
    "u",
  ),
  new RegExp(String.raw`\b(?:if|as|since) you(?: are|['’]re) (?:an? |the )?(?:${MACHINE})\b`, "u"),
  new RegExp(String.raw`[[({<*#](?:${MACHINE}|system|inst|user)\b[^\n]{0,20}[\])}>*#:]`, "u"),
  /\byour (?:only |new |next )?(?:answers?|reply|replies|response|output)\b.{0,40}\b(?:is|are|must|should|will be|has to)\b/u,
  /\b(?:ignore|disregard|forget|override|bypass) (?:all|any|every\w*|what(?:ever)?|the|your|these|those)\b.{0,40}\b(?:told|taught|said|learned|learnt|wrote|written|before|earlier)\b/u,
  /\boverride\s*:|\b(?:test|debug|developer|admin|maintenance|god) mode\b/u,
  /\b(?:new|updated|changed) (?:rules?|instructions?|prompt|orders?)\b.{0,60}\b(?:replace|instead|old|assistant|bot|ai)\b/u,
  /\b(?:and|then|to|must|please|just|only) (?:say|reply|respond|answer|write|print|output|repeat)\s*[:"'«“]|\b(?:reply|respond|answer) (?:only |exactly )?with\s*[:"'«“]|\brepeat\s*[:"'«“]/u,
  /\btell (?:the |all |any |every |each )?(?:guest|customer|client|user|visitor|reader|people|them|him|her|everyone|everybody)s?\b.{0,30}[:"'«“]/u,
  new RegExp(
    String.raw`(?:^|\s)${MACHINE_AR}\p{L}*(?:\s\p{L}+){0,4}\s(?:ان |يجب |عليه |لازم )*${SAYS_AR}(?:\s|:|$)`,
    "u",
  ),
  new RegExp(String.raw`(?:^|\s)(?:الي|يا|اذا كنت|كنت|تنبيه|قواعد جديده) ${MACHINE_AR}`, "u"),
  new RegExp(String.raw`[[({<*#]\s?${MACHINE_AR}\p{L}*[\])}>*#:]`, "u"),
  /(?:جوابك|ردك|اجابتك|جوابكم)(?:\s\p{L}+){0,4}\s*(?:هو|هي|يكون|يجب|:)/u,
  /(?:^|\s)(?:و?اكتب|و?كرر|و?قل|و?اطبع|فاجب|فقل|فاكتب)(?:\s(?:السطر|التالي|فقط|هذا|حرفيا|ما|يلي)){0,3}\s*[:"'«“]/u,
  /(?:رساله|اوامر|تعليمات) (?:ال)?نظام|وضع (?:ال)?(?:اختبار|مطور|صيانه)/u,
  /(?:تجاهل|انس|تخط|تجاوز|اهمل|الغ)\p{L}*\s.{0,40}(?:تعليمات|قواعد|اوامر|سابق|اعلاه|قيل|سبق|من قبل)/u,
  /(?:^|\s)(?:و?اخبر|و?قل ل)(?:\s?(?:ال|لل|كل |جميع ))*(?:ضيوف|عملاء|عميل|زبائن|زبون|زوار|ضيف)\p{L}*(?:\s\p{L}+){0,3}\s*[:"'«“]/u,
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|guideline|above|previous|prior|polic)/u,
  /\b(?:system|developer|hidden|initial) (?:prompt|message|instruction)/u,
  /\byou are (?:now|no longer)\b|\b(?:act|behave|pretend|respond|answer) as (?:if|though|an? )/u,
  /\b(?:assistant|chatbot|ai model|language model|llm)s?\b.{0,30}\b(?:must|should|shall|has to|have to|needs? to|is to|will)\b.{0,20}\b(?:say|reply|answer|tell|promise|confirm|offer|send|call|output|print|respond|include|state|mention)/u,
  /\b(?:note|instructions?|message|attention|important|notice) (?:to|for) (?:the |any |all )?(?:ai|assistant|bot|chatbot|model|llm)/u,
  /(?:^|[.!:\]>\n])\s*(?:(?:always|now|please) )?(?:say|reply|respond|(?<=(?:always|now|please) )answer|output|print|repeat)(?: only| exactly| with| the following| this| back)*\s*[:"'«“]/u,
  /<\/?(?:system|assistant|user|source|instructions?)\b|\[(?:system|inst|\/inst|assistant)\]|<\|/u,
  /(?:تجاهل|انس|تخط|اهمل|الغ)\p{L}*\s.{0,40}(?:تعليمات|التعليمات|القواعد|قواعد|الاوامر|اوامر|السابق|اعلاه)/u,
  /(?:انت|انك) الان|(?:تعليمات|رساله|ملاحظه|تنبيه|هام) (?:الي|ل|لل|من)\s?(?:المساعد|مساعد|النموذج|نموذج|البوت|بوت|الروبوت|روبوت|النظام|ذكاء)/u,
  /(?:المساعد|البوت|النموذج|الروبوت|للمساعد)\s.{0,30}(?:يجب|عليه|عليك|لازم|قل|اكتب|رد|اخبر)/u,
  /(?:^|[.!:\]>\n])\s*(?:قل|اكتب|كرر|اطبع|رد ب\p{L}*|اجب ب\p{L}*)(?: فقط| التالي| حرفيا| ما يلي| للعميل| للزبون| له)*\s*[:"'«“]/u,
];
