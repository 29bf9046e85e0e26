import pg from "pg";
import { Count } from "../lib/counts.ts";
import { openReadLanes } from "./read-lanes.ts";
import { runStatement } from "./run-statement.ts";
import { SESSION } from "./session.ts";
import type { Sql } from "./sql.ts";
import { FULL, sqlState } from "./sql-state.ts";
import { createPlaces, readSlowly, type HowPlanned } from "./slow-reads.ts";
import { Doubt, lend, lendBefore } from "./lend.ts";
import { ANSWER_MS, cutAt, watchSilence, type WorkKind } from "./time-limit.ts";
import { runTransaction, type Lent } from "./transaction.ts";
import { WritableClient } from "./writable-client.ts";

export { sqlState } from "./sql-state.ts";
export { QueryTimeout } from "./time-limit.ts";

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Runs one statement and gives its rows. */
export interface Queryable {
  query<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
}

/** A running transaction. Its use after the end throws. */
export interface Tx extends Queryable {
  readonly kind: "tx";
  /**
   * For a statement whose answer nobody needs before the commit. It is sent now, and its answer is awaited together
   * with the commit's, so it costs no round trip of its own. When it fails, the transaction fails with its error.
   */
  later(statement: Promise<unknown>): void;
  /**
   * For a statement that locks what many transactions need, and so goes last: it is sent when the work is done, before the
   * commit, in the order of the calls, and costs no round trip of its own either.
   */
  beforeCommit(statement: () => Promise<unknown>): void;
  /** Sends what waits for the commit now, for a read that must see it. Nothing that is locked may follow. */
  sendLast(): Promise<void>;
  /** Runs `action` after a successful commit, e.g. to wake a worker. Work that must happen is a row instead. */
  afterCommit(action: () => void): void;
  /** Runs several statements without values, such as a migration. */
  script(text: string): Promise<void>;
  /** When `attempt` throws, undoes what it wrote and throws the same error. The transaction itself goes on. */
  savepoint<T>(attempt: () => Promise<T>): Promise<T>;
}

export interface Db extends Queryable {
  readonly kind: "db";
  /**
   * Runs one short read that waits for no lock. It shares its connection with other reads that are under way, so a page
   * of contacts costs Node half of what it costs over the pool. A read that may take long or wait would hold up the
   * others: use `query` or `slowQuery` for it.
   */
  read<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
  /**
   * Commits when `work` resolves, rolls back when it throws. `work` must not use the network. It runs up to four times
   * on a deadlock (40P01, 40001) or `RunAgain`. Throws `LostCommit` when the connection broke at the commit.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs a read that may be slow, beside one other at the most, on the connections of background work. Throws
   * `QueryTimeout` after `timeoutMs`.
   */
  slowQuery<Row extends object>(
    statement: Sql,
    timeoutMs: number,
    how?: HowPlanned,
  ): Promise<Row[]>;
  /**
   * The same object for every `Db` that `within` and `forWork` make of one database. A process stores under it what
   * belongs to the database.
   */
  readonly origin: object;
  /**
   * The same database for work that somebody waits for. After `ms` without an answer, the wait for a connection
   * included, the work gives its connection up and throws `NoAnswer`, or `LostCommit` when the commit was under way. A
   * slow read has its own time-out instead.
   */
  within(ms: number): Db;
  /**
   * The same database for work that no request waits for. A transaction may take any time. A single statement fails as
   * with `within` when it has no answer for the `ANSWER_MS` of its kind. Until this is called, every statement is a
   * "piece".
   */
  forWork(kind: WorkKind): Db;
  /** How the connections are used now: those of this pool, and of the one for background work when there is one. */
  poolUse(): readonly PoolUse[];
  close(): Promise<void>;
}

/** The connections of one pool at a moment. */
export interface PoolUse {
  readonly pool: PoolName;
  /** How many there may be. */
  readonly size: number;
  readonly inUse: number;
  /** Open, and lent to nobody. */
  readonly idle: number;
  /** Callers that wait for one. */
  readonly waiting: number;
}

/** `front`: requests, replies and campaigns. `background`: imports, audiences, erasures, and slow reads of pages. */
export type PoolName = "front" | "background";

/**
 * The work of a transaction throws it when it met another transaction's change that it would see if it began again. The
 * work is then run again, as after a deadlock.
 */
export class RunAgain extends Error {}

const RETRIED = ["40P01", "40001"] as const;

const retries = new Count(
  "parley_transaction_retries_total",
  "Transactions that were run again, by SQL state; run_again: they met a change that they have to see",
  { sqlstate: [...RETRIED, "run_again"] },
);

/** The reason for which a transaction is run again; undefined: its error is final. */
function reasonToRetry(error: unknown): (typeof RETRIED)[number] | "run_again" | undefined {
  if (error instanceof RunAgain) return "run_again";
  const state = sqlState(error);
  return RETRIED.find((one) => one === state);
}

/**
 * Our statements find their rows by key. A connection makes a plan once and keeps it until the table is analysed. A
 * plan that was made while the table had a page or two reads the whole table, even when it has a million rows (one look
 * of an inbound message took 802 µs so, and 5 µs by key). And compiling a plan (jit) takes longer than any such
 * statement; an operator's own PostgreSQL might do it.
 */
const BY_KEY = "set enable_seqscan = off; set jit = off";

/**
 * Each statement is planned once, for any values. Without this, PostgreSQL plans a third of the hot statements at every use,
 * because it expects each array to be long. With it, a flow's answer is called after 26 ms instead of 37, and a reply takes a
 * third less of PostgreSQL's time.
 */
const PLANNED_ONCE = "set plan_cache_mode = force_generic_plan";

/**
 * Work that touches most pages of a table writes each whole page to PostgreSQL's log (tagging one in five of a million
 * contacts: 211,000 pages). Commits of others wait behind that on the disk. Only a superuser may set this, as the
 * embedded database's user is. Where the user may not, it is not tried: each try was an error in PostgreSQL's own log.
 */
const SMALLER_LOG = `select set_config('wal_compression', 'on', false)
  where has_parameter_privilege('wal_compression', 'set')`;

/**
 * A plan that was made while a table was empty may use any index that begins with the workspace, because all cost the
 * same then. So `isDue` says when a connection's plans must be made anew: first half a second after it began, then less
 * and less often, at last twice a minute (20 ms of processor time for some sixty statements).
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

/** How long a connection may take to become free, or to be made and set up. */
const CONNECT_MS = 10_000;
/** Slow reads at once. They leave connections for the pieces of other background work. */
const SLOW_AT_ONCE = 2;

/**
 * When work on a connection must be over, in `performance.now()`, or the kind of work that says how long each statement
 * may take.
 */
type Limit = { readonly due: number } | { readonly kind: WorkKind };

export interface DatabaseOptions {
  readonly connectionString: string;
  /** How many connections, 4 to 8. More are slower on two cores: 32 halve the speed of create. */
  readonly poolSize?: number;
  /**
   * Connections that only short reads share (`db/read-lanes.ts`). On two cores one is as fast as four, but only two use
   * both cores. Without any, short reads use the other connections.
   */
  readonly shortReads?: number;
  /** The database of background work: slow reads use its connections. Without it they use this one's. */
  readonly behind?: Pick<Db, "slowQuery" | "poolUse">;
  /** The name under which its connections are counted. */
  readonly name?: PoolName;
  /** For work of few rows: a plan is made once for all values, not for each use (`PLANNED_ONCE`). */
  readonly plansOnce?: boolean;
  /** For background work, which writes many pages: compresses them in PostgreSQL's log where that may be set. */
  readonly packsLog?: boolean;
  readonly onError?: (error: Error) => void;
  /**
   * All pools of a process to one database share it. When one pool finds a dead connection, the others give theirs up
   * too.
   */
  readonly doubt?: Doubt;
  readonly answerMs?: Readonly<Record<WorkKind, number>>;
  /** Called whenever PostgreSQL says that its disk is full. */
  readonly onFullDisk?: () => void;
}

/** The same database, with `query` going through `read`. For functions that consist of short reads by key. */
export const readingFrom = (db: Db): Db => ({ ...db, query: (statement) => db.read(statement) });

/** Opens the pools of a database. Nothing is connected until the first query. */
export function openDatabase(options: DatabaseOptions): Db {
  const settings = {
    Client: WritableClient,
    connectionString: options.connectionString,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // The system itself would wait two hours. With this, a connection that was cut without a word is found within
    // twenty seconds.
    keepAliveInitialDelayMillis: 10_000,
  };
  const { doubt = new Doubt(), answerMs = ANSWER_MS, behind } = options;
  // With `pipeline`, pg 8.23 sends the statements of a transaction without waiting between them, when the caller does
  // not await.
  const pool = new pg.Pool({
    ...settings,
    max: options.poolSize ?? 8,
    pipeline: true,
  } as pg.PoolConfig);
  const { shortReads = 0, onError = () => {} } = options;
  const byKey = `${SESSION}; ${BY_KEY}`;
  const lanes = shortReads > 0 ? openReadLanes(settings, shortReads, onError, byKey) : null;
  const setUp = options.plansOnce ? `${byKey}; ${PLANNED_ONCE}` : byKey;
  pool.on("error", onError);
  pool.on("connect", (client) => {
    // The pool listens only to idle connections. Without this, one that is cut while it is lent would end the process.
    // Its statements fail all the same, and the borrower sees that.
    client.on("error", () => {});
    client.connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code === FULL) options.onFullDisk?.();
    });
    void client.query(setUp).catch(() => {});
    if (options.packsLog) void client.query(SMALLER_LOG).catch(() => {});
  });
  const forget = planForgetter();
  pool.on("acquire", (client) => {
    if (forget.isDue(client)) client.query("discard plans").catch(() => {});
  });

  async function queryOnce<Row extends object>(limit: Limit, statement: Sql): Promise<Row[]> {
    const { client, lane, ask, giveBack } = await lendFor(pool, doubt, answerMs, limit);
    try {
      return await ask(runStatement<Row>(client, statement, lane));
    } finally {
      giveBack(false);
    }
  }

  const takePlace = createPlaces(SLOW_AT_ONCE, CONNECT_MS);
  const slowQuery: Db["slowQuery"] = async (...asked) => {
    const leave = await takePlace();
    return readSlowly<never>(pool, doubt, ...asked).finally(leave);
  };
  const origin = {};
  const openFor = (limitFromNow: () => Limit): Db => ({
    kind: "db",
    origin,
    query: (statement) => queryOnce(limitFromNow(), statement),
    read: (statement) => (lanes ? lanes.query(statement) : queryOnce(limitFromNow(), statement)),
    async transaction(work) {
      const limit = limitFromNow();
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(await lendFor(pool, doubt, answerMs, limit), work);
        } catch (error) {
          const sqlstate = reasonToRetry(error);
          if (attempt >= 4 || sqlstate === undefined) throw error;
          retries.add({ sqlstate });
        }
      }
    },
    slowQuery: behind ? behind.slowQuery : slowQuery,
    within: (ms) => openFor(() => ({ due: performance.now() + ms })),
    forWork: (kind) => openFor(() => ({ kind })),
    poolUse: () => [useOf(pool, options.name ?? "front"), ...(behind?.poolUse() ?? [])],
    async close() {
      await Promise.all([pool.end(), lanes?.end()]);
    },
  });
  return openFor(() => ({ kind: "piece" }));
}

function useOf(pool: pg.Pool, name: PoolName): PoolUse {
  const { totalCount, idleCount, waitingCount } = pool;
  const { max } = pool.options;
  const inUse = totalCount - idleCount;
  return { pool: name, size: max, inUse, idle: idleCount, waiting: waitingCount };
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
    return { client, lane: limit.kind, ask, giveBack: (broken) => client.release(broken) };
  }
  const client = await lendBefore(limit.due, pool, doubt);
  const since = performance.now();
  const stop = cutAt(limit.due, client, () => doubt.raise(since));
  const giveBack = (broken: boolean) => {
    stop();
    client.release(broken);
  };
  return { client, lane: "request", ask: (asked) => asked, giveBack };
}
