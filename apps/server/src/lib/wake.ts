/** The queues that workers wait on. A nudge only shortens the wait; the poll is what guarantees. */
export type Queue = "messages" | "broadcasts" | "deliveries" | "housekeeping";

/** Tells workers that there is work. Call after commit (`tx.afterCommit`), never before. */
export interface Wake {
  nudge(queue: Queue): void;
  /** Resolves at the next nudge of the queue, after `ms`, or when aborted. */
  wait(queue: Queue, ms: number, signal: AbortSignal): Promise<void>;
}

export function createWake(): Wake {
  const waiting = new Map<Queue, Set<() => void>>();
  // A nudge that arrives while the worker is busy must not be lost.
  const pending = new Set<Queue>();
  return {
    nudge(queue) {
      const set = waiting.get(queue);
      if (!set?.size) {
        pending.add(queue);
        return;
      }
      for (const resolve of set) resolve();
    },
    wait(queue, ms, signal) {
      if (pending.delete(queue) || signal.aborted) return Promise.resolve();
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
