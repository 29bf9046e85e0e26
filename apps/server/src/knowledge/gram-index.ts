import { gramsOf } from "./grams.ts";

/** Usual values of BM25: how fast more of a gram stops to count, and how far long texts are held back. */
const K1 = 1.2;
const B = 0.75;
/** A title says what its chunk is about; what customers ask is nearest to a question. */
const TITLE_TIMES = 2;

/** Texts between two pauses while an index is made. */
const PAUSE_TEXTS = 20;
/** Words that are kept while an index is made. */
const MOST_WORDS = 100_000;
/** With the marks inside a word that folding removes. */
const WRITTEN_WORD = /[\p{L}\p{N}\p{M}\p{Cf}\u0640]+/gu;

/** A text to find, by its place in the list that the index was made of. */
export interface Indexable {
  readonly title: string;
  readonly text: string;
  readonly askedAs: string;
}

/**
 * Finds texts by the letter grams of a question. Three bytes for each different gram of a text: its number and how often.
 * It is made once and never changed.
 */
export class GramIndex {
  /** The number of each gram. */
  readonly #grams = new Map<string, number>();
  /** Where the texts of a gram begin in `#docs`; one more at the end. */
  #starts = new Uint32Array(1);
  #docs = new Uint16Array(0);
  #times = new Uint8Array(0);
  #lengths = new Uint32Array(0);
  #total = 0;
  #norms = new Float32Array(0);
  #normsOf = 0;

  get size(): number {
    return this.#lengths.length;
  }
  /** Grams of all texts together. */
  get total(): number {
    return this.#total;
  }
  /** About how much memory it takes. A gram of the vocabulary is a text and its place in a map. */
  get bytes(): number {
    return (
      this.#docs.byteLength +
      this.#times.byteLength +
      this.#starts.byteLength +
      this.#lengths.byteLength +
      this.#grams.size * 72
    );
  }

  /** In how many texts a gram is. */
  found(gram: string): number {
    const number = this.#grams.get(gram);
    if (number === undefined) return 0;
    return (this.#starts[number + 1] ?? 0) - (this.#starts[number] ?? 0);
  }

  /**
   * What the length of each text does to its scores, when a text has this length on average over all indexes. `score`
   * takes it.
   */
  norms(average: number): Float32Array {
    if (this.#normsOf === average) return this.#norms;
    const norms = new Float32Array(this.size);
    for (let doc = 0; doc < norms.length; doc++)
      norms[doc] = K1 * (1 - B + (B * (this.#lengths[doc] ?? 0)) / average);
    this.#norms = norms;
    this.#normsOf = average;
    return norms;
  }

  /** Adds to `scores` what each text has of a gram. */
  score(gram: string, weight: number, norms: Float32Array, scores: Float32Array): void {
    const number = this.#grams.get(gram);
    if (number === undefined) return;
    const end = this.#starts[number + 1] ?? 0;
    const most = weight * (K1 + 1);
    for (let at = this.#starts[number] ?? 0; at < end; at++) {
      const doc = this.#docs[at] ?? 0;
      const times = this.#times[at] ?? 0;
      scores[doc] = (scores[doc] ?? 0) + (most * times) / (times + (norms[doc] ?? 0));
    }
  }

  /** Makes an index of at most 65,536 texts. `pause` is awaited now and then, so that others get their turn. */
  static async of(texts: readonly Indexable[], pause: () => Promise<void>): Promise<GramIndex> {
    const index = new GramIndex();
    const lengths = new Uint32Array(texts.length);
    const counted: number[] = [];
    const words = new Map<string, Uint32Array>();
    /** How often each gram is in the text at hand, by its number; `own` lists those that are. */
    let times = new Uint32Array(4_096);
    // Two passes would cut each text twice. One pass keeps pairs: gram and times together in one number.
    const pairs: Uint32Array[] = [];
    for (const [doc, one] of texts.entries()) {
      if (doc % PAUSE_TEXTS === PAUSE_TEXTS - 1) await pause();
      const own: number[] = [];
      let length = 0;
      const add = (text: string, by: number) => {
        for (const [word] of text.matchAll(WRITTEN_WORD)) {
          const grams = index.#numbersOf(word, words);
          if (index.#grams.size > times.length) {
            const longer = new Uint32Array(2 * index.#grams.size);
            longer.set(times);
            times = longer;
          }
          length += grams.length * by;
          for (const number of grams) {
            const before = times[number] ?? 0;
            if (before === 0) own.push(number);
            times[number] = before + by;
          }
        }
      };
      add(one.title, TITLE_TIMES);
      add(one.text, 1);
      add(one.askedAs, 1);
      lengths[doc] = length;
      index.#total += length;
      pairs.push(
        Uint32Array.from(own, (number) => {
          counted[number] = (counted[number] ?? 0) + 1;
          const n = times[number] ?? 0;
          times[number] = 0;
          return number * 256 + Math.min(n, 255);
        }),
      );
    }
    for (let number = 0; number < index.#grams.size; number++) counted[number] ??= 0;
    index.#lengths = lengths;
    index.#lay(pairs, counted);
    return index;
  }

  /** The numbers of a word's grams. Most words of a text are known from others: they are folded and cut once. */
  #numbersOf(word: string, known: Map<string, Uint32Array>): Uint32Array {
    const before = known.get(word);
    if (before) return before;
    const numbers = Uint32Array.from(gramsOf(word), (gram) => {
      const number = this.#grams.get(gram) ?? this.#grams.size;
      this.#grams.set(gram, number);
      return number;
    });
    if (known.size >= MOST_WORDS) known.clear();
    known.set(word, numbers);
    return numbers;
  }

  #lay(pairs: readonly Uint32Array[], counted: readonly number[]): void {
    const starts = new Uint32Array(counted.length + 1);
    for (const [number, n] of counted.entries()) starts[number + 1] = (starts[number] ?? 0) + n;
    const total = starts[counted.length] ?? 0;
    const docs = new Uint16Array(total);
    const times = new Uint8Array(total);
    const next = starts.slice(0, counted.length);
    for (const [doc, own] of pairs.entries())
      for (const pair of own) {
        const number = pair >>> 8;
        const at = next[number] ?? 0;
        next[number] = at + 1;
        docs[at] = doc;
        times[at] = pair & 255;
      }
    this.#starts = starts;
    this.#docs = docs;
    this.#times = times;
  }
}
