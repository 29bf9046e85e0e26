import type { Lane } from "./lane.ts";
import type { AttemptResult } from "./settle-deliveries.ts";

/** One attempt that a lane has reported. */
interface Answer {
  readonly lane: Lane;
  readonly result: AttemptResult;
}

/** What lanes have reported: their attempts, and which lanes have ended. */
interface Reported {
  readonly answers: readonly Answer[];
  readonly ended: readonly Lane[];
}

/** Collects what lanes report until a turn settles it. */
export class LaneReports {
  #answers: Answer[] = [];
  #ended: Lane[] = [];
  #listeners: (() => void)[] = [];

  /** Adds an attempt of a lane, or with null its end. */
  add(lane: Lane, result: AttemptResult | null): void {
    if (result) this.#answers.push({ lane, result });
    else this.#ended.push(lane);
    for (const resolve of this.#listeners.splice(0)) resolve();
  }

  /** True when nothing waits for a turn. */
  get empty(): boolean {
    return this.#answers.length === 0 && this.#ended.length === 0;
  }

  /** True when a lane has ended whose endpoint was not given back yet. */
  get hasEnded(): boolean {
    return this.#ended.length > 0;
  }

  /** Takes out everything that was reported. */
  takeAll(): Reported {
    const all = { answers: this.#answers, ended: this.#ended };
    this.#answers = [];
    this.#ended = [];
    return all;
  }

  /** Puts back what could not be settled, before everything that came meanwhile. */
  putBack({ answers, ended }: Reported): void {
    this.#answers = [...answers, ...this.#answers];
    this.#ended = [...ended, ...this.#ended];
  }

  /** Resolves at the next report. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#listeners.push(resolve));
  }
}
