import { load, type LoadRequest } from "./load.ts";

/** Milliseconds from when a request was due to its answer. */
export interface Times {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface SteadyKind {
  readonly name: string;
  /** `turn` counts the requests of this kind. */
  next(turn: number): LoadRequest;
}

/** Enough that a stall of seconds does not hold the next requests back: they are sent when they are due. */
const CLIENTS = 100;

/**
 * The same requests at the same pace until it is stopped, whatever else goes on. `take` gives the results of each kind
 * since the last `take`.
 */
export class SteadyLoad {
  readonly #halt = new AbortController();
  readonly #running: Promise<unknown>;
  #times = new Map<string, number[]>();

  constructor(origin: string, rate: number, kinds: readonly SteadyKind[]) {
    const kindOf = (turn: number) => kinds[turn % kinds.length];
    this.#running = load(origin, {
      clients: CLIENTS,
      seconds: 24 * 3_600,
      rate,
      signal: this.#halt.signal,
      next(turn) {
        const kind = kindOf(turn);
        if (!kind) throw new Error("a load needs kinds");
        return kind.next(Math.floor(turn / kinds.length));
      },
      onAnswer: (turn, ms) => {
        const name = kindOf(turn)?.name ?? "";
        const times = this.#times.get(name);
        if (times) times.push(ms);
        else this.#times.set(name, [ms]);
      },
    });
    this.#running.catch(() => {});
  }

  take(): ReadonlyMap<string, Times> {
    const taken = this.#times;
    this.#times = new Map();
    return new Map([...taken].map(([name, times]) => [name, timesOf(times)]));
  }

  /** Throws when more than one in 1,000 was refused. */
  async stop(): Promise<void> {
    this.#halt.abort();
    await this.#running;
  }
}

function timesOf(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { count: times.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}
