import { AppError } from "../errors.ts";

/** Lets a few pieces of costly work run at once, and a few more wait. */
export interface Gate {
  /** Runs `work` when a place is free. Throws OVERLOADED at once when the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How many pieces of work have asked for a place so far, refused ones included. */
  readonly asked: number;
}

/** `retryAfterSeconds`: what a refused caller is asked to wait. */
export function createGate({
  atOnce,
  waiting,
  retryAfterSeconds,
}: {
  readonly atOnce: number;
  readonly waiting: number;
  readonly retryAfterSeconds: number;
}): Gate {
  const queue: (() => void)[] = [];
  let running = 0;
  let asked = 0;
  // A place that becomes free passes to the first in the queue; only without a queue is the count lowered.
  const leave = (): void => {
    const next = queue.shift();
    if (next) next();
    else running--;
  };
  return {
    async run(work) {
      asked++;
      if (running < atOnce) running++;
      else if (queue.length >= waiting) throw new AppError("OVERLOADED", { retryAfterSeconds });
      else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        return await work();
      } finally {
        leave();
      }
    },
    get asked() {
      return asked;
    },
  };
}
