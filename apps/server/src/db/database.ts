import pg from "pg";
import { lowerBackend } from "./lower-backend.ts";
import { openReadLanes } from "./read-lanes.ts";
import { runStatement } from "./run-statement.ts";
import { SESSION } from "./session.ts";
import type { Sql } from "./sql.ts";
import { FULL, sqlState } from "./sql-state.ts";
import { Doubt, lend, lendBefore } from "./lend.ts";
import { ANSWER_MS, cutAt, QueryTimeout, watchSilence, type WorkKind } from "./time-limit.ts";
import { runTransaction, type Lent } from "./transaction.ts";
import { WritableClient } from "./writable-client.ts";

export { sqlState } from "./sql-state.ts";
export { QueryTimeout } from "./time-limit.ts";

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Runs one statement and gives its rows. */
export interface Queryable {
  query<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
}

/** Inside `transaction`. Dead once it ended: use after that throws. */
export interface Tx extends Queryable {
  readonly kind: "tx";
  /**
   * For a statement with an answer that nobody needs before the commit. It is sent now, and its answer is awaited with
   * that of the commit, so it costs no round trip of its own. When it fails, the transaction fails with its error.
   */
  later(statement: Promise<unknown>): void;
  /** Runs after a successful commit, e.g. to wake a worker. Never for work that must happen: that is a row. */
  afterCommit(action: () => void): void;
  /** Undoes what `attempt` wrote when it throws, and throws on; the transaction itself goes on. */
  savepoint<T>(attempt: () => Promise<T>): Promise<T>;
}

export interface Db extends Queryable {
  readonly kind: "db";
  /**
   * Runs one short read that waits for no lock, on a connection that it shares with other reads in the air (a page of
   * contacts costs Node half of what a pool does). A read that may take long or wait goes by `query` or `slowQuery`:
   * here it would hold up the others.
   */
  read<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
  /**
   * Commits when `work` resolves, rolls back when it throws. No network inside. Retried on deadlock (40P01, 40001) and
   * `RunAgain`. Throws `LostCommit` when the connection broke at the commit.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A read that may be slow: has its own few connections and a time-out; beyond it throws `QueryTimeout`. */
  slowQuery<Row extends object>(
    statement: Sql,
    timeoutMs: number,
    // A prepared statement is planned for the average workspace from its sixth time on.
    how?: "prepared" | "planned anew",
  ): Promise<Row[]>;
  /**
   * True when the system runs the statements of this `Db` after those of others, as `nice` asks. Known from the first
   * connection on; false before, and where the system cannot (see `lowerBackend`).
   */
  givesWay(): boolean;
  /** The same object for every `Db` that `within` gives: a process keeps what belongs to a database by it. */
  readonly origin: object;
  /**
   * The same for work that somebody waits for. Work without an answer after so long, the wait for a connection
   * included, gives its connection up and throws `NoAnswer`, or `LostCommit` when the commit was under way. A slow read
   * has its own time-out.
   */
  within(ms: number): Db;
  /**
   * The same for work that no request waits for. A transaction may take any time, but a single statement fails as above
   * when it has no answer for as long as `ANSWER_MS` says of its kind. Until this is called, every statement is a
   * "piece".
   */
  forWork(kind: WorkKind): Db;
  close(): Promise<void>;
}

/**
 * Thrown by the work of a transaction that met another one's change and would see it if it began anew. The work is run
 * again, as after a deadlock.
 */
export class RunAgain extends Error {}

const RETRIED = new Set(["40P01", "40001"]);

/**
 * Our statements find their rows by key. A plan is made once per connection and kept until the table is analysed: made
 * while the table had a page or two it reads all of it, and goes on to when there are a million rows (one look of an
 * inbound message took 802 µs so, and 5 by key). And compiling a plan takes longer than any such statement; an
 * operator's own PostgreSQL would do it.
 */
const BY_KEY = "set enable_seqscan = off; set jit = off";

/**
 * Work that touches most pages of a table writes each of them whole to PostgreSQL's log, and commits of others wait
 * behind that on the disk (tagging one in five of a million: 211,000 pages). Only a superuser may say so, as with the
 * embedded database.
 */
const SMALLER_LOG = "set wal_compression = on";

/**
 * A plan made while a table was empty takes any index that begins with the workspace, because all cost the same then.
 * So plans are made anew: soon after a connection began, then less and less often, at last twice a minute (20 ms of
 * processor time for some sixty statements).
 */
export function planForgetter(now: () => number = () => performance.now()): {
  isDue(connection: object): boolean;
} {
  const dues = new WeakMap<object, { at: number; every: number }>();
  return {
    isDue(connection) {
      const due = dues.get(connection);
      if (due && now() < due.at) return false;
      const every = due ? Math.min(due.every * 2, 30_000) : 500;
      dues.set(connection, { at: now() + every, every });
      return due !== undefined;
    },
  };
}

/** For a connection to be free, or to be made and set up. */
const CONNECT_MS = 10_000;
/** PostgreSQL ends a slow read by itself; beyond this it does nothing any more. */
const CANCELLED_MS = 5_000;

/** Connections for short reads. One is as fast as four on two cores; two use two. */
const READ_LANES = 2;

/**
 * When work on a connection must be over, as `performance.now()` counts, or how long each of its statements may take.
 */
type Limit = { readonly due: number } | { readonly kind: WorkKind };

export interface DatabaseOptions {
  readonly connectionString: string;
  /** Connections for everything but slow reads. 4 to 8: more is slower on two cores (32 halves create). */
  readonly poolSize?: number;
  /** For work that nobody waits for: how far PostgreSQL's processes behind these connections stand back, 1 to 19. */
  readonly nice?: number;
  readonly onError?: (error: Error) => void;
  /**
   * Shared by all pools of a process to one database: when one finds a dead connection, the others give theirs up too.
   */
  readonly doubt?: Doubt;
  readonly answerMs?: Readonly<Record<WorkKind, number>>;
  /** Called whenever PostgreSQL says that its disk is full. */
  readonly onFullDisk?: () => void;
}

/** The same, whose queries go by `read`: for functions that are made of short reads by key. */
export const readingFrom = (db: Db): Db => ({ ...db, query: (statement) => db.read(statement) });

/** Opens the pool. Nothing is connected until the first query. */
export function openDatabase(options: DatabaseOptions): Db {
  const settings = {
    Client: WritableClient,
    connectionString: options.connectionString,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // The system's own is two hours: a connection that was cut unheard is found within twenty seconds.
    keepAliveInitialDelayMillis: 10_000,
  };
  let givesWay = false;
  let refused = false;
  const { nice = 0, doubt = new Doubt(), answerMs = ANSWER_MS } = options;
  const lowered = nice > 0 && {
    // Awaited before the first statement. A connection that broke says so to that one.
    async onConnect(client: pg.ClientBase) {
      const due = performance.now() + CONNECT_MS;
      const stop = client instanceof WritableClient ? cutAt(due, client) : () => {};
      givesWay = await lowerBackend(client, nice, refused ? 1 : undefined).catch(() => false);
      refused = !givesWay;
      await client.query(SMALLER_LOG).catch(() => {});
      stop();
    },
  };
  // pg 8.23 sends the statements of a transaction without waiting between them when the caller does not await.
  const pool = new pg.Pool({
    ...settings,
    ...lowered,
    max: options.poolSize ?? 8,
    pipeline: true,
  } as pg.PoolConfig);
  const reads = openReadLanes(
    settings,
    READ_LANES,
    (error) => onError(error),
    `${SESSION}; ${BY_KEY}`,
  );
  const slow = new pg.Pool({ ...settings, ...lowered, max: 2 });
  const onError = options.onError ?? (() => {});
  for (const one of [pool, slow]) {
    one.on("error", onError);
    // The pool hears of idle connections only: one that is cut while it is lent would end the process. Its statements
    // fail all the same, and the borrower sees that.
    one.on("connect", (client) => client.on("error", () => {}));
    one.on("connect", ({ connection }) =>
      connection.on("errorMessage", ({ code }: { code?: string }) => {
        if (code === FULL) options.onFullDisk?.();
      }),
    );
    one.on("connect", (client) => void client.query(SESSION).catch(() => {}));
  }
  pool.on("connect", (client) => void client.query(BY_KEY).catch(() => {}));
  const forget = planForgetter();
  pool.on("acquire", (client) => {
    if (forget.isDue(client)) client.query("discard plans").catch(() => {});
  });

  async function queryOnce<Row extends object>(limit: Limit, statement: Sql): Promise<Row[]> {
    const { client, ask, giveBack } = await lendFor(pool, doubt, answerMs, limit);
    try {
      return await ask(runStatement<Row>(client, statement));
    } finally {
      giveBack(false);
    }
  }

  const origin = {};
  const openFor = (limitFromNow: () => Limit): Db => ({
    kind: "db",
    origin,
    query: (statement) => queryOnce(limitFromNow(), statement),
    read: (statement) => reads.query(statement),
    async transaction(work) {
      const limit = limitFromNow();
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(await lendFor(pool, doubt, answerMs, limit), work);
        } catch (error) {
          const passing = error instanceof RunAgain || RETRIED.has(sqlState(error) ?? "");
          if (attempt >= 4 || !passing) throw error;
        }
      }
    },
    slowQuery: (...asked) => querySlowly(slow, doubt, ...asked),
    givesWay: () => givesWay,
    within: (ms) => openFor(() => ({ due: performance.now() + ms })),
    forWork: (kind) => openFor(() => ({ kind })),
    async close() {
      await Promise.all([pool.end(), reads.end(), slow.end()]);
    },
  });
  return openFor(() => ({ kind: "piece" }));
}

/** Lends a connection for one transaction or statement, which must be over by `limit.due` when there is one. */
async function lendFor(
  pool: pg.Pool,
  doubt: Doubt,
  answerMs: Readonly<Record<WorkKind, number>>,
  limit: Limit,
): Promise<Lent> {
  if ("kind" in limit) {
    const client = await lend(pool, doubt);
    const ask = watchSilence(answerMs[limit.kind], client, (since) => doubt.raise(since));
    return { client, ask, giveBack: (broken) => client.release(broken) };
  }
  const client = await lendBefore(limit.due, pool, doubt);
  const since = performance.now();
  const stop = cutAt(limit.due, client, () => doubt.raise(since));
  const giveBack = (broken: boolean) => {
    stop();
    client.release(broken);
  };
  return { client, ask: (asked) => asked, giveBack };
}

/** Runs one slow read on a connection of `pool`; PostgreSQL ends it after `timeoutMs`. */
async function querySlowly<Row extends object>(
  pool: pg.Pool,
  doubt: Doubt,
  statement: Sql,
  timeoutMs: number,
  how?: "prepared" | "planned anew",
): Promise<Row[]> {
  const client = await lend(pool, doubt);
  const since = performance.now();
  const stop = cutAt(since + timeoutMs + CANCELLED_MS, client, () => doubt.raise(since));
  let broken = false;
  try {
    // Of this transaction alone: behind a pooler others have the connection next. A bitmap of a million contacts
    // takes more than 8 MB; a coarser one costs three times the reading.
    await client.query(
      `begin; set local statement_timeout = ${Math.trunc(timeoutMs)}; set local work_mem = '32MB'; set local jit = off`,
    );
    const rows = await runStatement<Row>(client, statement, how);
    await client.query("commit");
    return rows;
  } catch (error) {
    await client.query("rollback").catch(() => (broken = true));
    if (sqlState(error) === "57014") throw new QueryTimeout(`no answer within ${timeoutMs} ms`);
    throw error;
  } finally {
    stop();
    client.release(broken);
  }
}
