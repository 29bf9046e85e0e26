/** The last `capacity` items, oldest first. */
export class Ring<T> {
  readonly #capacity: number;
  #items: T[] = [];
  constructor(capacity: number) {
    this.#capacity = capacity;
  }
  push(item: T): void {
    this.#items.push(item);
    // Cut in large steps: shifting one at a time is quadratic on a long run.
    if (this.#items.length > this.#capacity * 2) this.#items = this.#items.slice(-this.#capacity);
  }
  all(): readonly T[] {
    return this.#items.slice(-this.#capacity);
  }
  clear(): void {
    this.#items = [];
  }
}

/** How many bytes of files one platform keeps: several run beside a server, as long as it does. */
export const MOST_FILE_BYTES = 64 * 1024 * 1024;

/**
 * A map that forgets its oldest entries beyond `capacity`, and with `weigh` those beyond `MOST_FILE_BYTES` in all.
 * The newest stays whatever its size.
 */
export class BoundedMap<K, V> {
  readonly #capacity: number;
  readonly #weigh: (value: V) => number;
  readonly #map = new Map<K, V>();
  #weight = 0;
  constructor(capacity: number, weigh: (value: V) => number = () => 0) {
    this.#capacity = capacity;
    this.#weigh = weigh;
  }
  get(key: K): V | undefined {
    return this.#map.get(key);
  }
  set(key: K, value: V): void {
    const old = this.#map.get(key);
    if (old !== undefined) this.#weight -= this.#weigh(old);
    this.#map.set(key, value);
    this.#weight += this.#weigh(value);
    for (const oldest of this.#map.keys()) {
      if (this.#map.size <= this.#capacity && this.#weight <= MOST_FILE_BYTES) break;
      if (oldest === key) break;
      this.delete(oldest);
    }
  }
  delete(key: K): boolean {
    const old = this.#map.get(key);
    if (old !== undefined) this.#weight -= this.#weigh(old);
    return this.#map.delete(key);
  }
  clear(): void {
    this.#map.clear();
    this.#weight = 0;
  }
  values(): V[] {
    return [...this.#map.values()];
  }
  get size(): number {
    return this.#map.size;
  }
}
