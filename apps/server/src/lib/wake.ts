/** The queues that workers wait on. A nudge only shortens the wait: the regular look finds all work. */
export type Queue =
  | "messages"
  | "media"
  | "profiles"
  | "broadcasts"
  | "deliveries"
  // Conversations in which a customer wrote where a bot may answer.
  | "bots"
  // Runs of bots, and of cases, that go on.
  | "runs"
  // Open streams of events.
  | "feed"
  | "housekeeping";

/** Tells workers that there is work. Call after commit (`tx.afterCommit`), never before. */
export interface Wake {
  nudge(queue: Queue): void;
  /** How often the queue was nudged so far. A loop that was busy compares it with an earlier count. */
  nudges(queue: Queue): number;
  /** Resolves at the next nudge of the queue, after `ms`, or when aborted. */
  wait(queue: Queue, ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Nudges within this process. Those of other processes come through `nudges.ts`, or the next regular look finds the
 * work.
 */
export function createWake(): Wake {
  const waiting = new Map<Queue, Set<() => void>>();
  const counts = new Map<Queue, number>();
  return {
    nudge(queue) {
      counts.set(queue, (counts.get(queue) ?? 0) + 1);
      for (const resolve of waiting.get(queue) ?? []) resolve();
    },
    nudges: (queue) => counts.get(queue) ?? 0,
    wait(queue, ms, signal) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        let set = waiting.get(queue);
        if (!set) waiting.set(queue, (set = new Set()));
        const done = () => {
          clearTimeout(timer);
          set.delete(done);
          signal.removeEventListener("abort", done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        set.add(done);
        signal.addEventListener("abort", done, { once: true });
      });
    },
  };
}
