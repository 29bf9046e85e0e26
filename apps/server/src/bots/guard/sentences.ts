import { gramsOfWord } from "../../knowledge/grams.ts";
import { bareWords, foldWords } from "../../messages/search/search-terms.ts";
import {
  COMMITTING_PHRASES,
  commitmentOf,
  CONDITION,
  COURTESY,
  FUNCTION_WORDS,
  NEGATION,
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
  readonly negations: number;
  readonly conditions: number;
}

const END = /(?<=[.!?؟…])\s+|[\n\r;؛•|]+/u;

export const sentencesOf = (text: string): Sentence[] =>
  text.split(END).flatMap((one) => (/[\p{L}\p{N}]/u.test(one) ? [sentenceOf(one.trim())] : []));

function sentenceOf(text: string): Sentence {
  // "don't" and "we'll" are one word each where the apostrophe is not read as a gap.
  const words = bareWords(text.replace(/n['’]t\b/giu, " not"));
  const folded = foldWords(text);
  const phrases = COMMITTING_PHRASES.flatMap((one) => one.exec(folded)?.[0] ?? []);
  return {
    text,
    words,
    grams: new Set(words.flatMap(gramsOfWord)),
    content: words.filter((word) => !FUNCTION_WORDS.has(word) && !COURTESY.has(word)),
    commitments: [...words.flatMap((word) => commitmentOf(word) ?? []), ...phrases],
    negations: words.filter((word) => NEGATION.has(word)).length,
    conditions: words.filter((word) => CONDITION.has(word)).length,
  };
}

/** What share of a sentence's letter grams the others have. Courtesies at its beginning do not count. */
export function gramShare(sentence: Sentence, grams: ReadonlySet<string>): number {
  const first = sentence.words.findIndex((word) => !COURTESY.has(word));
  const own = new Set(sentence.words.slice(Math.max(first, 0)).flatMap(gramsOfWord));
  return own.size === 0 ? 0 : [...own].filter((gram) => grams.has(gram)).length / own.size;
}

/** What share of the grams of some words others have. */
export function contentShare(words: readonly string[], grams: ReadonlySet<string>): number {
  const own = new Set(words.flatMap(gramsOfWord));
  return own.size === 0 ? 1 : [...own].filter((gram) => grams.has(gram)).length / own.size;
}

/** The longest run of words of which the grams hold less than half. */
export function longestStrangeRun(words: readonly string[], grams: ReadonlySet<string>): number {
  let longest = 0;
  let run = 0;
  for (const word of words) {
    run = contentShare([word], grams) < 0.5 ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
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
