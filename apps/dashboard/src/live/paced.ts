/** Calls at once, then at most every so often; a call that is asked for meanwhile is made when its time has come. */
export class Paced {
  readonly #run: () => void;
  readonly #gapMs: number;
  readonly #now: () => number;
  #ranAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => void, gapMs: number, now = (): number => performance.now()) {
    this.#run = run;
    this.#gapMs = gapMs;
    this.#now = now;
  }

  /** Asks for a call. */
  ask(): void {
    if (this.#timer !== undefined) return;
    const wait = this.#ranAt + this.#gapMs - this.#now();
    if (wait <= 0) this.#call();
    else this.#timer = setTimeout(() => this.#call(), wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #call(): void {
    this.#timer = undefined;
    this.#ranAt = this.#now();
    this.#run();
  }
}
