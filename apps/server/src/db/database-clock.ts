import type { Logger } from "../lib/logger.ts";
import { waitFor, type Clock } from "../lib/clock.ts";
import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/**
 * Up to this difference from PostgreSQL's time, the machine's own time is used. A slow answer alone can look like such
 * a difference.
 */
const NEAR_MS = 1_000;
/** Above this difference the operator gets a warning: one of the two machines has a wrong clock. */
const TOLD_MS = 5_000;
const LOOK_MS = 10_000;
/** The least time between two looks when a clock seems to have been set. */
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
 * The common time of all processes on one PostgreSQL. Usually it is the machine's own time. When that is more than a
 * second off, it is PostgreSQL's time at the last look plus the time that has passed since. So leases, paces, meters
 * and schedules of a process with a wrong clock agree with the others', and receivers accept its signatures. The clock
 * looks every ten seconds, and as soon as one of the two clocks seems to have been set. Before the first successful
 * look it is the machine's own time.
 */
export class DatabaseClock implements Clock {
  readonly #db: Queryable;
  readonly #log: Pick<Logger, "warn">;
  readonly #own: () => number;
  readonly #passed: () => number;
  /** The last look: PostgreSQL's time, `passed` at that moment, and how far the machine's own time was ahead. */
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

  /** Makes a clock, and waits for its first look. */
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

  /** Asks PostgreSQL for its time. Without an answer nothing changes. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(() => {})
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** Waits for a look that is under way. No other look begins afterwards. */
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
    // An answer that took so long cannot say which moment it means.
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
      const words = `the clock of this machine is ${way} PostgreSQL's; PostgreSQL's time is used instead`;
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
