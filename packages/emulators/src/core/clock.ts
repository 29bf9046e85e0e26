/** The clock of an emulator; by default the system's. */
export interface BaseClock {
  now(): Date;
}

/** The emulator's time in milliseconds: the base clock, plus what the control surface moved it by. */
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
