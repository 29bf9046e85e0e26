import type { Queue } from "../lib/wake.ts";

/** One loop: claims due work, calls the domain, settles. Each file of this folder makes one. */
export interface Worker {
  readonly name: string;
  readonly queue: Queue;
  /** The longest a due item may wait without a nudge. */
  readonly pollMs: number;
  /** Runs in API processes too, because it empties something that process gathers in memory. */
  readonly everyProcess?: true;
  /** Does what is due now, in bounded batches, and gives how many items it handled; 0 when there was nothing. */
  runOnce(): Promise<number>;
  /**
   * For a worker with calls that outlive `runOnce`: starts nothing more, and resolves when everything it started is
   * settled.
   */
  stop?(): Promise<void>;
}
