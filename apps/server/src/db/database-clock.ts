import type { Logger } from "../lib/logger.ts";
import { waitFor, type Clock } from "../lib/clock.ts";
import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/**
 * Within this distance of PostgreSQL's time the machine's own is used. A slow answer alone can look like a smaller
 * difference.
 */
const NEAR_MS = 1_000;
/** Further off than this, the operator gets a warning: something is wrong with one of the two machines. */
const TOLD_MS = 5_000;
const LOOK_MS = 10_000;
/** When a clock seems to have been set, it is looked again at once, but not more often. */
const SOON_MS = 1_000;

export interface DatabaseClockOptions {
  readonly db: Queryable;
  readonly log: Pick<Logger, "warn">;
  /** The machine's own time, in milliseconds since 1970. */
  readonly own?: () => number;
  /** Milliseconds that only ever rise, however the machine's clock is set. */
  readonly passed?: () => number;
}

/**
 * The time of all processes on one PostgreSQL. While the machine's own time is more than a second off, it is
 * PostgreSQL's time at the last look, plus the time that has passed since. So a process with a wrong clock keeps
 * leases, paces, meters and schedules with the others, and signs with a time that receivers accept. It looks every ten
 * seconds, and as soon as one of the two clocks seems to have been set. Until the first look, and where no look
 * succeeds, it is the machine's own time.
 */
export class DatabaseClock implements Clock {
  readonly #db: Queryable;
  readonly #log: Pick<Logger, "warn">;
  readonly #own: () => number;
  readonly #passed: () => number;
  /** PostgreSQL's time when so much had passed, and how far the machine's own was ahead of it. */
  #seen: { readonly theirs: number; readonly passed: number; readonly ahead: number } | undefined;
  #looking: Promise<void> | undefined;
  #lookedAt = -Infinity;
  #told = false;
  readonly #timer: NodeJS.Timeout;

  private constructor({
    db,
    log,
    own = Date.now,
    passed = () => performance.now(),
  }: DatabaseClockOptions) {
    this.#db = db;
    this.#log = log;
    this.#own = own;
    this.#passed = passed;
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  /** A clock that has looked once. */
  static async open(options: DatabaseClockOptions): Promise<DatabaseClock> {
    const clock = new DatabaseClock(options);
    await clock.look();
    return clock;
  }

  now(): Date {
    const own = this.#own();
    if (this.#seen === undefined) return new Date(own);
    const passed = this.#passed();
    const theirs = this.#seen.theirs + passed - this.#seen.passed;
    const ahead = own - theirs;
    if (Math.abs(ahead - this.#seen.ahead) > NEAR_MS && passed - this.#lookedAt > SOON_MS)
      void this.look();
    return new Date(Math.abs(ahead) <= NEAR_MS ? own : theirs);
  }

  pass(ms: number): Promise<void> {
    return waitFor(ms);
  }

  /** Asks PostgreSQL for its time. One that does not answer changes nothing. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(() => {})
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** Waits for a look that is under way; there is none after it. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#lookedAt = Infinity;
    await this.#looking;
  }

  async #look(): Promise<void> {
    const before = this.#passed();
    this.#lookedAt = before;
    const [row] = await this.#db.query<{ ms: number }>(
      sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
    );
    const after = this.#passed();
    // Which moment of the wait was it? An answer so slow cannot tell.
    if (row === undefined || after - before > NEAR_MS) return;
    const passed = (before + after) / 2;
    const ahead = this.#own() - (row.ms + after - passed);
    this.#seen = { theirs: row.ms, passed, ahead };
    this.#tell(ahead);
  }

  #tell(ahead: number): void {
    const off = Math.abs(ahead) > TOLD_MS;
    if (off && !this.#told) {
      const seconds = Math.round(Math.abs(ahead) / 1_000);
      const way = ahead > 0 ? "ahead of" : "behind";
      const words = `the clock of this machine is ${way} PostgreSQL's, whose time is taken instead`;
      this.#log.warn({ seconds }, words);
    }
    this.#told = off;
  }
}

/** How far PostgreSQL's clock is ahead of `now`, in milliseconds; below 0 when it is behind. */
export async function aheadOf(db: Queryable, now: Date): Promise<number> {
  const [row] = await db.query<{ ms: number }>(
    sql`select extract(epoch from clock_timestamp() - ${now}::timestamptz)::float8 * 1000 as ms`,
  );
  return row?.ms ?? 0;
}
