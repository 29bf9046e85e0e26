import { setTimeout as sleep } from "node:timers/promises";

/**
 * Work in the background that gives way to requests: imports, exports, changes to many contacts, audiences. While
 * nobody else uses the database it goes at full speed; else in small pieces with a rest after each that is as long as
 * the piece took, so that it has half of one connection at most and nobody waits behind a long one.
 */
export interface Background {
  /** How many of `most` the next piece takes: all, or a fifth while others are being served. */
  size(most: number): Promise<number>;
  /** Does a piece of work when the rest after the last one is over. */
  piece<T>(work: () => Promise<T>): Promise<T>;
}

const FEW = 5;
/** Work that took seconds is followed by work that takes as long: who waits for both need not wait longer still. */
const LONGEST_REST_MS = 250;
const LOOK_EVERY_MS = 1_000;
/** Counts reach the database's statistics once a second from each connection: over so long they even out. */
const LOOK_BACK_MS = 3_000;
/** An idle server's workers look for work about ten times a second; one request is one to three transactions. */
const IDLE_PER_SECOND = 25;

export interface BackgroundParts {
  /** How many transactions the database has done so far, those of this process included. */
  readonly transactions: () => Promise<number>;
  readonly now?: () => number;
  readonly rest?: (ms: number) => Promise<unknown>;
}

interface Look {
  readonly at: number;
  readonly others: number;
}

/** Pieces of several kinds of work in one process share their rests. */
export function createBackground(parts: BackgroundParts): Background {
  const { transactions, now = () => performance.now(), rest = (ms: number) => sleep(ms) } = parts;
  let looks: Look[] = [];
  let own = 0;
  let restUntil = 0;
  // Until it is known, others are taken to be there.
  let busy = true;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    own += 1;
    const others = (await transactions()) - own;
    const at = now();
    looks = [...looks.filter((one) => at - one.at < LOOK_BACK_MS + LOOK_EVERY_MS), { at, others }];
    const [first] = looks;
    if (first === undefined || at - first.at < LOOK_EVERY_MS) return;
    busy = ((others - first.others) * 1_000) / (at - first.at) > IDLE_PER_SECOND;
  }

  async function isBusy(): Promise<boolean> {
    const last = looks.at(-1);
    if (last === undefined || now() - last.at >= LOOK_EVERY_MS)
      await (looking ??= look()
        // A database that cannot say fails the work itself.
        .catch(() => {})
        .finally(() => (looking = undefined)));
    return busy;
  }

  return {
    async size(most) {
      return (await isBusy()) ? Math.max(1, Math.ceil(most / FEW)) : most;
    },
    async piece(work) {
      for (let left = restUntil - now(); left > 0; left = restUntil - now()) await rest(left);
      const begun = now();
      try {
        return await work();
      } finally {
        own += 1;
        const ended = now();
        const took = Math.min(ended - begun, LONGEST_REST_MS);
        if (await isBusy())
          restUntil = Math.min(Math.max(restUntil, ended) + took, ended + LONGEST_REST_MS);
      }
    },
  };
}

/** For tests: full speed, whoever else is there. */
export const UNHINDERED: Background = {
  size: async (most) => most,
  piece: (work) => work(),
};
