import { gramsOfWord } from "../../knowledge/grams.ts";
import { bareWords, foldWords } from "../../messages/search/search-terms.ts";
import {
  COMMITTING_PHRASES,
  commitmentOf,
  CONDITION,
  COURTESY,
  FUNCTION_WORDS,
  NEGATION,
  NUMBER_WORDS,
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

function sentenceOf(text: string): Sentence {
  // "don't" and "we'll" are one word each where the apostrophe is not read as a gap.
  const words = bareWords(text.replace(/n['’]t\b/giu, " not").replace(/ما عدا/gu, "ماعدا"));
  const folded = foldWords(text);
  const phrases = COMMITTING_PHRASES.flatMap((one) => one.exec(folded)?.[0] ?? []);
  return {
    text,
    words,
    grams: new Set(words.flatMap(gramsOfWord)),
    content: words.filter(isContent),
    // With the article: "إلغاء" begins like one.
    commitments: [
      ...(folded.match(/\p{L}+/gu) ?? []).flatMap((word) => commitmentOf(word) ?? []),
      ...phrases,
    ],
    negations:
      words.filter((word) => NEGATION.has(word)).length - (/^(?:no|لا)[,،.!]/iu.test(text) ? 1 : 0),
    conditions: words.filter((word) => CONDITION.has(word)).length,
  };
}

/** The clauses of a sentence; of one without several, itself. */
export function clausesOf(sentence: Sentence): Sentence[] {
  const clauses = sentence.text.split(CLAUSE).filter((clause) => /\p{L}/u.test(clause));
  return clauses.length > 1 ? clauses.map(sentenceOf) : [sentence];
}

/** The sentences of a text, and the clauses of those that have several. */
export const unitsOf = (text: string): Sentence[] =>
  sentencesOf(text).flatMap((one) => {
    const clauses = clausesOf(one);
    return clauses.length > 1 ? [one, ...clauses] : [one];
  });

/** "10, 25 and 50" is one clause, and "واحد" is one word. */
const CLAUSE = /[,،;:]\s(?!\d)|\s(?:and|but|or)\s(?!\d)|\sو(?!احد)(?=\p{L}{3}|لا\s)/u;

/** What share of a sentence's letter grams the others have. Courtesies do not count. */
export function gramShare(sentence: Sentence, grams: ReadonlySet<string>): number {
  const own = new Set(
    sentence.words.filter((word) => word.length > 1 && !COURTESY.has(word)).flatMap(gramsOfWord),
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

/** Words of a source, by which the words of an answer are looked up. */
export class Vocabulary {
  readonly #words: ReadonlyMap<string, ReadonlySet<string>>;
  constructor(words: Iterable<string>) {
    this.#words = new Map([...new Set(words)].map((word) => [word, new Set(gramsOfWord(word))]));
  }

  /** Whether the word, or a form of it, is there: one word has at least half of its grams. */
  has(word: string): boolean {
    if (this.#words.has(word) || this.#words.has(word.replace(POSSESSIVE, ""))) return true;
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

const ORDERS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|guideline|above|previous|prior|polic)/u,
  /\b(?:system|developer|hidden|initial) (?:prompt|message|instruction)/u,
  /\byou are (?:now|no longer)\b|\b(?:act|behave|pretend|respond|answer) as (?:if|though|an? )/u,
  /\b(?:assistant|chatbot|ai model|language model|llm)s?\b.{0,30}\b(?:must|should|shall|has to|have to|needs? to|is to|will)\b.{0,20}\b(?:say|reply|answer|tell|promise|confirm|offer|send|call|output|print|respond|include|state|mention)/u,
  /\b(?:note|instructions?|message|attention|important|notice) (?:to|for) (?:the |any |all )?(?:ai|assistant|bot|chatbot|model|llm)/u,
  /(?:^|[.!:\]>\n])\s*(?:(?:always|now|please) )?(?:say|reply|respond|answer|output|print|repeat)(?: only| exactly| with| the following| this| back)*\s*[:"'«“]/u,
  /<\/?(?:system|assistant|user|source|instructions?)\b|\[(?:system|inst|\/inst|assistant)\]|<\|/u,
  /(?:تجاهل|انس|تخط|اهمل|الغ)\p{L}*\s.{0,40}(?:تعليمات|التعليمات|القواعد|قواعد|الاوامر|اوامر|السابق|اعلاه)/u,
  /(?:انت|انك) الان|(?:تعليمات|رساله|ملاحظه|تنبيه|هام) (?:الي|ل|لل|من)\s?(?:المساعد|مساعد|النموذج|نموذج|البوت|بوت|الروبوت|روبوت|النظام|ذكاء)/u,
  /(?:المساعد|البوت|النموذج|الروبوت|للمساعد)\s.{0,30}(?:يجب|عليه|عليك|لازم|قل|اكتب|رد|اخبر)/u,
  /(?:^|[.!:\]>\n])\s*(?:قل|اكتب|كرر|اطبع|رد ب\p{L}*|اجب ب\p{L}*)(?: فقط| التالي| حرفيا| ما يلي| للعميل| للزبون| له)*\s*[:"'«“]/u,
];
