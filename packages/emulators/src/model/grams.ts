// Marks of vowels and the long dash inside Arabic words.
const MARKS = /[\u064B-\u065F\u0670\u0640]/g;
const STOP = new Set(
  (
    "a an and are at can could do does for from have how i in is it me my of on or please the to we what when where which " +
    "who with would you your tell about any there هل ما ماذا من في على عن الى إلى كم متى اين أين كيف هو هي انا أنا لو سمحت " +
    "ممكن عندكم لديكم يوجد مع او أو ان أن التي الذي"
  ).split(" "),
);

/** Words without case, marks, article and the spellings that mean the same letter. Words that say nothing are left out. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll(MARKS, "")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .filter((word) => !STOP.has(word))
    .map((word) =>
      word
        .replaceAll(/[أإآ]/g, "ا")
        .replaceAll("ة", "ه")
        .replaceAll("ى", "ي")
        .replace(/^(وال|بال|لل|ال)(?=.{3})/, ""),
    );
}

/** The runs of three letters in a text, each once. */
export function gramsOf(text: string): Set<string> {
  const grams = new Set<string>();
  for (const word of wordsOf(text)) {
    const padded = ` ${word} `;
    for (let at = 0; at + 3 <= padded.length; at++) grams.add(padded.slice(at, at + 3));
  }
  return grams;
}

/** Which share of a question's runs of letters a text has: 0 to 1. */
export function shareIn(question: ReadonlySet<string>, text: string): number {
  if (question.size === 0) return 0;
  const found = gramsOf(text);
  let shared = 0;
  for (const gram of question) if (found.has(gram)) shared++;
  return shared / question.size;
}

const DIMENSIONS = 384;

/** A vector of length 1 for a text: texts that share letters point in similar directions. */
export function embed(text: string): number[] {
  const vector = new Float32Array(DIMENSIONS);
  for (const gram of gramsOf(text)) {
    let hash = 2166136261;
    for (const unit of gram) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 16777619) >>> 0;
    const at = hash % DIMENSIONS;
    vector[at] = (vector[at] ?? 0) + ((hash >>> 16) & 1 ? 1 : -1);
  }
  const length = Math.hypot(...vector) || 1;
  return [...vector].map((part) => Math.fround(part / length));
}

export const isArabic = (text: string): boolean => /[\u0600-\u06FF]/.test(text);
