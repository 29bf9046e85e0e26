/** The last `capacity` things, oldest first. */
export class Ring<T> {
  readonly #capacity: number;
  #items: T[] = [];
  constructor(capacity: number) {
    this.#capacity = capacity;
  }
  push(item: T): void {
    this.#items.push(item);
    // Cut in strides: shifting one at a time is quadratic on a long run.
    if (this.#items.length > this.#capacity * 2) this.#items = this.#items.slice(-this.#capacity);
  }
  all(): readonly T[] {
    return this.#items.slice(-this.#capacity);
  }
  clear(): void {
    this.#items = [];
  }
}

/** A map that forgets its oldest entry beyond `capacity`. */
export class BoundedMap<K, V> {
  readonly #capacity: number;
  readonly #map = new Map<K, V>();
  constructor(capacity: number) {
    this.#capacity = capacity;
  }
  get(key: K): V | undefined {
    return this.#map.get(key);
  }
  set(key: K, value: V): void {
    if (!this.#map.has(key) && this.#map.size >= this.#capacity) {
      const oldest = this.#map.keys().next();
      if (!oldest.done) this.#map.delete(oldest.value);
    }
    this.#map.set(key, value);
  }
  delete(key: K): boolean {
    return this.#map.delete(key);
  }
  values(): V[] {
    return [...this.#map.values()];
  }
  get size(): number {
    return this.#map.size;
  }
}
