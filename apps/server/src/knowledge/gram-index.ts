import { gramsOf } from "./grams.ts";

/** Usual values of BM25: how fast more of a gram stops to count, and how far long texts are held back. */
const K1 = 1.2;
const B = 0.75;
/** A title says what its chunk is about; what customers ask is nearest to a question. */
const TITLE_TIMES = 2;

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

  /** Adds to `scores` what each text has of a gram. `average` is the length of a text over all indexes. */
  score(gram: string, weight: number, average: number, scores: Float32Array): void {
    const number = this.#grams.get(gram);
    if (number === undefined) return;
    const end = this.#starts[number + 1] ?? 0;
    for (let at = this.#starts[number] ?? 0; at < end; at++) {
      const doc = this.#docs[at] ?? 0;
      const times = this.#times[at] ?? 0;
      const length = (this.#lengths[doc] ?? 0) / average;
      scores[doc] =
        (scores[doc] ?? 0) + (weight * times * (K1 + 1)) / (times + K1 * (1 - B + B * length));
    }
  }

  /** Makes an index of at most 65,536 texts. `pause` is awaited now and then, so that others get their turn. */
  static async of(texts: readonly Indexable[], pause: () => Promise<void>): Promise<GramIndex> {
    const index = new GramIndex();
    const lengths = new Uint32Array(texts.length);
    const counted: number[] = [];
    // Two passes would cut each text twice. One pass keeps pairs: gram and times together in one number.
    const pairs: Uint32Array[] = [];
    for (const [doc, one] of texts.entries()) {
      if (doc % 100 === 99) await pause();
      const times = new Map<number, number>();
      let length = 0;
      const add = (text: string, by: number) => {
        for (const gram of gramsOf(text)) {
          let number = index.#grams.get(gram);
          if (number === undefined) {
            number = index.#grams.size;
            index.#grams.set(gram, number);
            counted.push(0);
          }
          times.set(number, (times.get(number) ?? 0) + by);
          length += by;
        }
      };
      add(one.title, TITLE_TIMES);
      add(one.text, 1);
      add(one.askedAs, 1);
      lengths[doc] = length;
      index.#total += length;
      const own = new Uint32Array(times.size);
      let at = 0;
      for (const [number, n] of times) {
        own[at++] = number * 256 + Math.min(n, 255);
        counted[number] = (counted[number] ?? 0) + 1;
      }
      pairs.push(own);
    }
    index.#lengths = lengths;
    index.#lay(pairs, counted);
    return index;
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
