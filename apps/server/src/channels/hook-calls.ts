import type { Db } from "../db/database.ts";

/** How often one channel's calls are written at most. */
const WRITE_GAP_MS = 60_000;
/** How many channels' calls are counted between writes; those of further channels are not counted. */
const MAX_CHANNELS = 10_000;

/** The results of one channel's calls since the last write. */
export interface CallCount {
  readonly workspaceId: string;
  readonly channelId: string;
  /** When a call with the right signature was last accepted. */
  takenAt: Date | null;
  /** Calls with a wrong signature: how many, and when the first and the last came. */
  wrongSignatures: number;
  wrongSince: Date | null;
  wrongAt: Date | null;
  /** When the platform last asked with a wrong verify token. */
  wrongTokenAt: Date | null;
}

interface Noted {
  count: CallCount;
  changed: boolean;
  writtenAt: number | null;
}

interface Called {
  readonly workspaceId: string;
  readonly channelId: string;
}

/**
 * Counts platforms' calls in memory, so that a flood of forged ones costs an addition each. `claimDue` gives what
 * must be written: for each channel at once at first, and then once a minute.
 */
class HookCalls {
  readonly #noted = new Map<string, Noted>();

  noteTaken(called: Called, at: Date): void {
    this.#change(called, (count) => (count.takenAt = at));
  }

  noteWrongSignature(called: Called, at: Date): void {
    this.#change(called, (count) => {
      count.wrongSignatures++;
      count.wrongSince ??= at;
      count.wrongAt = at;
    });
  }

  noteWrongToken(called: Called, at: Date): void {
    this.#change(called, (count) => (count.wrongTokenAt = at));
  }

  claimDue(now: Date): CallCount[] {
    const due: CallCount[] = [];
    for (const [id, noted] of this.#noted) {
      // A clock that was set back makes everything due.
      const waits =
        noted.writtenAt !== null && Math.abs(now.getTime() - noted.writtenAt) < WRITE_GAP_MS;
      if (waits) continue;
      if (!noted.changed) {
        this.#noted.delete(id);
        continue;
      }
      due.push(noted.count);
      noted.count = fresh(noted.count);
      noted.changed = false;
      noted.writtenAt = now.getTime();
    }
    return due;
  }

  #change(called: Called, change: (count: CallCount) => void): void {
    let noted = this.#noted.get(called.channelId);
    if (noted === undefined) {
      if (this.#noted.size >= MAX_CHANNELS) return;
      noted = { count: fresh(called), changed: false, writtenAt: null };
      this.#noted.set(called.channelId, noted);
    }
    change(noted.count);
    noted.changed = true;
  }
}

const fresh = ({ workspaceId, channelId }: Called): CallCount => ({
  workspaceId,
  channelId,
  takenAt: null,
  wrongSignatures: 0,
  wrongSince: null,
  wrongAt: null,
  wrongTokenAt: null,
});

const counters = new WeakMap<object, HookCalls>();

/** The counter of this process for that database. */
export function hookCalls({ origin }: Db): HookCalls {
  let found = counters.get(origin);
  if (!found) counters.set(origin, (found = new HookCalls()));
  return found;
}
