import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/database.ts";

/**
 * Work in the background that gives way to requests: imports, exports, changes to many contacts, audiences, counts. It
 * runs on connections of its own, and where the system lets us, it runs what PostgreSQL does on them only when nobody
 * else wants the core (`db/lower-backend.ts`). While others use the database each piece is followed by a rest as long
 * as it took, so that background work has half of one connection at most: the system shares cores by priority, but not
 * the disk, PostgreSQL's log and its locks. Pieces are small then: a row that a request wants is not locked for long.
 */
export interface Background {
  /**
   * The database for this work: what is one statement and no piece is asked here, so that it is not taken for others'.
   */
  readonly db: Db;
  /**
   * Looks whether others use the database, once a second at most. When it is called now and then before there is work,
   * the answer is known then, and the first second goes neither as if others were there nor as if they were not.
   */
  watch(): Promise<void>;
  /** How many of `most` the next piece takes: all, or a fifth while others are being served. */
  size(most: number): Promise<number>;
  /** Does a piece of work on the database given to it, when the rest after the last one is over. */
  piece<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

const FEW = 5;
/** Work that took seconds is followed by work that takes as long, so a rest between them would only add to the wait. */
const LONGEST_REST_MS = 250;
const LOOK_EVERY_MS = 1_000;
/** Counts reach the database's statistics once a second from each connection: over so long they even out. */
const LOOK_BACK_MS = 3_000;
/** Workers of an idle server look for work some fifteen times a second; one request is one to three transactions. */
const IDLE_PER_SECOND = 40;

export interface BackgroundParts {
  readonly db: Db;
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
  const {
    db,
    transactions,
    now = () => performance.now(),
    rest = (ms: number) => sleep(ms),
  } = parts;
  let looks: Look[] = [];
  let own = 0;
  let restUntil = 0;
  let busy: boolean | undefined;
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

  async function isBusy(): Promise<boolean | undefined> {
    const last = looks.at(-1);
    if (last === undefined || now() - last.at >= LOOK_EVERY_MS)
      await (looking ??= look()
        // A database that cannot say fails the work itself.
        .catch(() => {})
        .finally(() => (looking = undefined)));
    return busy;
  }

  const counted = counting(db, () => (own += 1));
  return {
    db: counted,
    async watch() {
      await isBusy();
    },
    async size(most) {
      return (await isBusy()) === false ? most : Math.max(1, Math.ceil(most / FEW));
    },
    async piece(work) {
      for (let left = restUntil - now(); left > 0; left = restUntil - now()) await rest(left);
      const begun = now();
      try {
        return await work(counted);
      } finally {
        const ended = now();
        const took = Math.min(ended - begun, LONGEST_REST_MS);
        // Until it is known others are taken to be there, unless the work stands back for them anyway.
        if ((await isBusy()) ?? !db.givesWay())
          restUntil = Math.min(Math.max(restUntil, ended) + took, ended + LONGEST_REST_MS);
      }
    },
  };
}

/** The same database. It calls `onTransaction` for each of its transactions. */
function counting(db: Db, onTransaction: () => void): Db {
  return {
    ...db,
    query: (statement) => (onTransaction(), db.query(statement)),
    read: (statement) => (onTransaction(), db.read(statement)),
    transaction: (work) => (onTransaction(), db.transaction(work)),
    slowQuery: (...asked) => (onTransaction(), db.slowQuery(...asked)),
    within: (ms) => counting(db.within(ms), onTransaction),
    forWork: (kind) => counting(db.forWork(kind), onTransaction),
  };
}
