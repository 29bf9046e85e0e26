import type { Context } from "../../context.ts";
import { selectBackupMade } from "../../db/backup-made.ts";
import { countProcesses } from "../../db/process-life.ts";
import { aheadOf } from "../../db/database-clock.ts";
import { readingFrom } from "../../db/database.ts";
import { systemClock } from "../../lib/clock.ts";
import { selectOldestDue, selectQueueRows } from "./queue-store.ts";

/** How long a scrape waits for the database, and how long each of its statements may take. */
const WAIT_MS = 1_000;

type Rows<T extends (...given: never) => Promise<unknown>> = Awaited<ReturnType<T>>;

/** What a scrape reads in the database. A part that failed or took too long is missing, and leaves the others. */
export interface DatabaseFacts {
  /** How far PostgreSQL's clock is ahead of this machine's, in milliseconds. Missing: PostgreSQL does not answer. */
  readonly clockAheadMs?: number;
  readonly oldestDue?: Rows<typeof selectOldestDue>;
  readonly queueRows?: Rows<typeof selectQueueRows>;
  readonly processes?: Rows<typeof countProcesses>;
  /** Null: no backup was made with `parley backup`. */
  readonly backupMade?: Date | null;
}

/**
 * Makes the function that reads the facts for one scrape. It answers within `WAIT_MS`. Scrapes at the same time share
 * one reading, and none begins while an earlier one is still under way: a slow database gets no more work from this.
 */
export function createDatabaseFacts({
  db,
  clock,
}: Pick<Context, "db" | "clock">): () => Promise<DatabaseFacts> {
  let underWay: { readonly over: Promise<unknown>; readonly facts: DatabaseFacts } | null = null;

  /** Begins a reading. `facts` gets each part when its answer arrives. */
  function begin(): NonNullable<typeof underWay> {
    const facts: { -readonly [K in keyof DatabaseFacts]: DatabaseFacts[K] } = {};
    const reading = [
      // The machine's own time: the context's clock follows PostgreSQL's when the two differ. It is asked over a connection
      // that no pool can withhold.
      aheadOf(readingFrom(db), systemClock.now()).then((ms) => (facts.clockAheadMs = ms)),
      selectOldestDue(db, clock.now(), WAIT_MS).then((rows) => (facts.oldestDue = rows)),
      selectQueueRows(db, WAIT_MS).then((rows) => (facts.queueRows = rows)),
      countProcesses(db, WAIT_MS).then((rows) => (facts.processes = rows)),
      selectBackupMade(db, WAIT_MS).then((at) => (facts.backupMade = at)),
    ];
    return { over: Promise.allSettled(reading).finally(() => (underWay = null)), facts };
  }

  return async () => {
    const { over, facts } = (underWay ??= begin());
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, WAIT_MS);
    await Promise.race([over, late]);
    clearTimeout(timer);
    return facts;
  };
}
