import { AppError } from "../errors.ts";

/** Lets a few pieces of costly work run at once, and a few more wait. */
export interface Gate {
  /**
   * Runs `work` when a place is free. Throws OVERLOADED at once when the queue is full, or when too many of `owner` wait
   * already.
   */
  run<T>(work: () => Promise<T>, owner?: string): Promise<T>;
  /** How many pieces of work have asked for a place so far, refused ones included. */
  readonly asked: number;
}

/** How a gate admits. */
interface GateRules {
  readonly atOnce: number;
  readonly waiting: number;
  /** How many of those that wait may have the same owner. Unset: all. */
  readonly waitingEach?: number;
  /** What a refused caller is asked to wait. */
  readonly retryAfterSeconds: number;
  /**
   * After its work a place stays empty, so many times as long as the work took, at most so many milliseconds. Whoever had it
   * has the result before.
   */
  readonly rest?: { readonly times: number; readonly mostMs: number };
}

/** Makes a gate. Its places and its queue are this process's own. */
export function createGate(rules: GateRules): Gate {
  const { atOnce, waiting, waitingEach = waiting, retryAfterSeconds, rest } = rules;
  const queue: { readonly owner: string; readonly enter: () => void }[] = [];
  let running = 0;
  let asked = 0;
  // A place that becomes free passes to the first in the queue; only without a queue is the count lowered.
  const leave = (): void => {
    const next = queue.shift();
    if (next) next.enter();
    else running--;
  };
  const isFull = (owner: string): boolean =>
    queue.length >= waiting || queue.filter((one) => one.owner === owner).length >= waitingEach;
  return {
    async run(work, owner = "") {
      asked++;
      if (running < atOnce) running++;
      else if (isFull(owner)) throw new AppError("OVERLOADED", { retryAfterSeconds });
      else await new Promise<void>((enter) => queue.push({ owner, enter }));
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
