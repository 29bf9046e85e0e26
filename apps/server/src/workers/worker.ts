import type { Queue } from "../lib/wake.ts";

/** One loop: claims due work, calls the domain, settles. Each file of this folder makes one. */
export interface Worker {
  readonly name: string;
  readonly queue: Queue;
  /** The longest a due item may wait without a nudge. */
  readonly pollMs: number;
  /** Does what is due now, in bounded batches, and gives how many items it handled; 0 when there was nothing. */
  runOnce(): Promise<number>;
  /** Waits for what is still in the air between two rounds; part of a clean stop, after the last round. */
  finish?(): Promise<void>;
  /** For a worker whose calls outlive `runOnce`: starts nothing more, resolves when what was started is settled. */
  stop?(): Promise<void>;
}
