/** Seeded random numbers (mulberry32), so that a shuffled or lossy run can be repeated. */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  /** 0 ≤ x < 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }
  /** A whole number between the two, both included. */
  between(low: number, high: number): number {
    return high <= low ? low : low + Math.floor(this.next() * (high - low + 1));
  }
  shuffle<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, key: this.next() }))
      .sort((a, b) => a.key - b.key)
      .map((entry) => entry.item);
  }
  hex(bytes: number): string {
    let text = "";
    for (let i = 0; i < bytes; i++) text += this.between(0, 255).toString(16).padStart(2, "0");
    return text;
  }
}
