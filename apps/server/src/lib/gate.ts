import { AppError } from "../errors.ts";

/** Lets a few pieces of costly work run at once, and a few more wait. */
export interface Gate {
  /**
   * Runs `work` when a place is free. Throws OVERLOADED at once when the queue is full, or when too many wait for `whom`
   * already.
   */
  run<T>(work: () => Promise<T>, whom?: string): Promise<T>;
  /** How many pieces of work have asked for a place so far, refused ones included. */
  readonly asked: number;
}

/** How a gate admits. */
interface GateRules {
  readonly atOnce: number;
  readonly waiting: number;
  /** How many of those that wait may be for the same one. Unset: all. */
  readonly waitingEach?: number;
  /** What a refused caller is asked to wait. */
  readonly retryAfterSeconds: number;
  /**
   * After its work a place stays empty, so many times as long as the work took, at most so many milliseconds. Whoever had it
   * has the result before.
   */
  readonly rest?: { readonly times: number; readonly mostMs: number };
}

export function createGate(rules: GateRules): Gate {
  const { atOnce, waiting, waitingEach = waiting, retryAfterSeconds, rest } = rules;
  const queue: { readonly whom: string; readonly enter: () => void }[] = [];
  let running = 0;
  let asked = 0;
  // A place that becomes free passes to the first in the queue; only without a queue is the count lowered.
  const leave = (): void => {
    const next = queue.shift();
    if (next) next.enter();
    else running--;
  };
  const isFull = (whom: string): boolean =>
    queue.length >= waiting || queue.filter((one) => one.whom === whom).length >= waitingEach;
  return {
    async run(work, whom = "") {
      asked++;
      if (running < atOnce) running++;
      else if (isFull(whom)) throw new AppError("OVERLOADED", { retryAfterSeconds });
      else await new Promise<void>((enter) => queue.push({ whom, enter }));
      const begun = performance.now();
      try {
        return await work();
      } finally {
        if (rest) {
          const took = performance.now() - begun;
          setTimeout(leave, Math.min(rest.times * took, rest.mostMs)).unref();
        } else leave();
      }
    },
    get asked() {
      return asked;
    },
  };
}
