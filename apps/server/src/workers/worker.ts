import type { Queue } from "../lib/wake.ts";

/** One loop: it claims due work, calls the domain and settles. Each file of this folder makes one. */
export interface Worker {
  readonly name: string;
  readonly queue: Queue;
  /** The longest that due work waits without a nudge. */
  readonly pollMs: number;
  /** Runs in API processes too, because it writes what that process keeps in memory. */
  readonly everyProcess?: true;
  /** Does what is due now, in bounded batches. Gives how many items it handled; 0 when there was nothing. */
  runOnce(): Promise<number>;
  /**
   * Only for a worker whose calls outlive `runOnce`. Starts nothing more, and resolves when everything it started is
   * settled.
   */
  stop?(): Promise<void>;
}
