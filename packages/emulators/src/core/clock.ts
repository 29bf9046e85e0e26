/** Where an emulator takes the time from, unless told otherwise the system. */
export interface BaseClock {
  now(): Date;
}

/** The emulator's time: the base clock plus what the control surface moved it by. Milliseconds. */
export class SimClock {
  readonly #base: BaseClock;
  #offset = 0;
  constructor(base: BaseClock = { now: () => new Date() }) {
    this.#base = base;
  }
  now(): number {
    return this.#base.now().getTime() + this.#offset;
  }
  advance(ms: number): void {
    this.#offset += ms;
  }
  set(at: number): void {
    this.#offset = at - this.#base.now().getTime();
  }
}
