import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/database.ts";

/**
 * Work in the background that gives way to requests: imports, exports, changes to many contacts, audiences, counts. It
 * has connections of its own, and goes in small pieces. While others use the database, a rest follows each piece, as
 * long as the piece took (at most 250 ms). So background work has about half of one connection, and a row that a request
 * wants is not locked for long.
 */
export interface Background {
  /**
   * The database for this work. Single statements outside a piece belong here too: then they are not counted as
   * somebody else's.
   */
  readonly db: Db;
  /**
   * Looks whether others use the database, once a second at most. Callers call it now and then before there is work, so
   * that the first piece already knows the answer.
   */
  watch(): Promise<void>;
  /**
   * How many of `most` rows the next piece takes: all of them, or a fifth while others use the database or that is not
   * known yet.
   */
  size(most: number): Promise<number>;
  /** Waits until the rest after the last piece is over, then does a piece of work on the database given to it. */
  piece<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

const FEW = 5;
/**
 * Work that took seconds is usually followed by work as long. A longer rest between them would only add to the wait.
 */
const LONGEST_REST_MS = 250;
const LOOK_EVERY_MS = 1_000;
/** Each connection reports its counts to the database's statistics once a second. Over three seconds that evens out. */
const LOOK_BACK_MS = 3_000;
/** Workers of an idle server look for work some fifteen times a second. One request is one to three transactions. */
const IDLE_PER_SECOND = 40;

export interface BackgroundParts {
  readonly db: Db;
  /** The number of transactions that the database has done so far, with those of this process. */
  readonly transactions: () => Promise<number>;
  readonly now?: () => number;
  readonly rest?: (ms: number) => Promise<unknown>;
}

interface Look {
  readonly at: number;
  readonly others: number;
}

/** Makes the background work of a process. All kinds of work in it share their rests. */
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
        // When the database cannot answer, the work itself fails with the cause.
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
        // Until the first answer others count as there.
        if ((await isBusy()) !== false)
          restUntil = Math.min(Math.max(restUntil, ended) + took, ended + LONGEST_REST_MS);
      }
    },
  };
}

/** The same database, which calls `onTransaction` before each of its transactions. */
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
