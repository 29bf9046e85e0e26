import { setTimeout as sleep } from "node:timers/promises";
import type { Ids } from "../lib/ids.ts";
import type { Logger } from "../lib/logger.ts";
import { leasesLost } from "../lib/counts.ts";
import type { Db, Queryable, Tx } from "./database.ts";
import { describeForLog } from "./describe-for-log.ts";
import { SESSION } from "./session.ts";
import { sql } from "./sql.ts";
import { WritableClient } from "./writable-client.ts";

const BEAT_MS = 500;
/** A session that gives no answer for this long is given up. */
const ANSWER_MS = 3_000;
/** A process that was seen within this time is left alone: it may be about to take its lock. */
const SEEN_MS = 2_000;
/** A process that is silent for longer is not listed as one that runs. */
const SHOWN_MS = 10_000;
/**
 * Longer than any lease. A process that was silent for so long has lost its claims by time, whether or not its session
 * still stands.
 */
const FORGOTTEN_MS = 10 * 60_000;
/**
 * After our own session was lost, the database was probably away, and the other processes are still on their way back
 * to it. For this long none is declared gone.
 */
const OTHERS_RETURN_MS = 20_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * With these, PostgreSQL ends the session of a vanished machine after some eleven seconds. The kernel's default is two
 * hours.
 */
const KEEPALIVE =
  "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3";

/**
 * Shows other processes that this one lives: a session holds an advisory lock and writes the time twice a second. When
 * the process is killed, PostgreSQL ends the session at once, and its claims are free (`workers/free-claims.ts`). A
 * process that is only paused keeps its session. A lost session is never taken up again. The process goes on under a
 * new id, and its claims under the old id end with their leases.
 */
export interface ProcessLife {
  /** The id for new claims. It changes when the session is lost, and nothing more is begun under the old id. */
  readonly id: string;
  /**
   * Opens the session and keeps it. Resolves once it stands, and after five seconds also without one. Claims then end
   * by time alone.
   */
  begin(): Promise<void>;
  /** The ids of processes that seem to be gone. `bury` proves it. */
  findGone(): Promise<string[]>;
  /**
   * Deletes a process that is gone, in the transaction that frees its claims. False when it lives, or another process
   * buries it.
   */
  bury(tx: Tx, id: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Where a process runs. */
export interface ProcessPlace {
  /** As PARLEY_ROLE. */
  readonly role: string;
  /** The name of its machine. */
  readonly machine: string;
  /** Its address on that machine. */
  readonly address: string;
}

/** The processes that run now, by machine and address, at most a hundred. */
export function listProcesses(db: Queryable): Promise<ProcessPlace[]> {
  return db.query<ProcessPlace>(sql`
    select role, machine, address from process
    where seen_at >= clock_timestamp() - ${SHOWN_MS} * interval '1 ms' and address is not null
    order by machine, address limit 100`);
}

/** How many processes of each role run now. */
export function countProcesses(
  db: Pick<Db, "slowQuery">,
  timeoutMs: number,
): Promise<{ role: string; n: number }[]> {
  return db.slowQuery<{ role: string; n: number }>(
    sql`select role, count(*) as n from process
      where seen_at >= clock_timestamp() - ${SHOWN_MS} * interval '1 ms' and role is not null group by role`,
    timeoutMs,
  );
}

const lockOf = (id: string) => `process ${id}`;

const newSession = (connectionString: string) =>
  new WritableClient({
    connectionString,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    application_name: "parley life",
  });

/** Takes the lock that says that the process lives, and stores where it runs. */
async function appear(client: WritableClient, id: string, place?: ProcessPlace): Promise<void> {
  await client.connect();
  await client.query(`${SESSION}; ${KEEPALIVE}; set synchronous_commit = off`);
  await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [lockOf(id)]);
  await client.query(
    "insert into process (id, seen_at, role, machine, address) values ($1, clock_timestamp(), $2, $3, $4)",
    [id, place?.role, place?.machine, place?.address],
  );
}

/** Other processes that have not written the time for `SEEN_MS`. */
async function selectSilent(db: Queryable, ours: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from process where seen_at < clock_timestamp() - ${SEEN_MS} * interval '1 ms'
      and id <> all (${ours}::uuid[]) order by id limit 100`);
  return rows.map((row) => row.id);
}

/** Deletes a process if its session is gone, or if it was silent for `FORGOTTEN_MS`. False when neither is so. */
async function deleteGone(tx: Tx, gone: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from process where id = ${gone} and seen_at < clock_timestamp() - ${SEEN_MS} * interval '1 ms'
      and (pg_try_advisory_xact_lock(hashtextextended(${lockOf(gone)}, 0))
        or seen_at < clock_timestamp() - ${FORGOTTEN_MS} * interval '1 ms') returning 1`);
  return rows.length > 0;
}

/** Makes the life of this process. Until `begin` it has an id that nobody looks for. */
export function createProcessLife(options: {
  readonly connectionString: string;
  readonly db: Queryable;
  readonly ids: Ids;
  readonly log: Logger;
  /** Where this process can be asked. Left out in tests. */
  readonly place?: ProcessPlace;
  /** Called when a session was lost, with the time of its last statement in `performance.now()`. */
  readonly lost?: (askedAt: number) => void;
}): ProcessLife {
  const { db, ids, log } = options;
  const halt = new AbortController();
  const mine = new Set<string>();
  let id = ids.next();
  let keeping: Promise<void> | undefined;
  let buriesFrom = 0;

  const pause = (ms: number) =>
    sleep(ms, undefined, { signal: halt.signal, ref: false }).catch(() => {});

  /** Runs one session from its beginning to its end. `held` is called once it stands. */
  async function session(held: () => void): Promise<void> {
    const client = newSession(options.connectionString);
    const over = new AbortController();
    client.on("error", () => over.abort());
    client.on("end", () => over.abort());
    const signal = AbortSignal.any([over.signal, halt.signal]);
    const own = ids.next();
    let askedAt = performance.now();
    try {
      await appear(client, own, options.place);
      mine.add(own);
      id = own;
      held();
      while (!signal.aborted) {
        await sleep(BEAT_MS, undefined, { signal, ref: false }).catch(() => {});
        if (signal.aborted) break;
        askedAt = performance.now();
        const beat = await client.query(
          "update process set seen_at = clock_timestamp() where id = $1",
          [own],
        );
        // Another process decided that this one is gone, and freed its claims.
        if (beat.rowCount === 0) break;
      }
      if (halt.signal.aborted && !over.signal.aborted)
        await client.query("delete from process where id = $1", [own]);
    } finally {
      if (id === own) id = ids.next();
      if (!halt.signal.aborted) {
        options.lost?.(askedAt);
        if (mine.has(own)) leasesLost.add({ kind: "session" });
      }
      if (!over.signal.aborted) client.connection.stream.destroy();
      await client.end().catch(() => {});
    }
  }

  async function keep(held: () => void): Promise<void> {
    let wait = FIRST_PAUSE_MS;
    let told = false;
    while (!halt.signal.aborted) {
      try {
        await session(() => {
          wait = FIRST_PAUSE_MS;
          told = false;
          held();
        });
      } catch (error) {
        // One line for each loss: while the database is away, every try fails.
        if (!halt.signal.aborted && !told)
          log.warn(describeForLog(error), "other processes cannot see whether this one lives");
        told = true;
      }
      buriesFrom = performance.now() + OTHERS_RETURN_MS;
      await pause(wait);
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
    }
  }

  return {
    get id() {
      return id;
    },
    async begin() {
      const stands = Promise.withResolvers<void>();
      keeping ??= keep(stands.resolve);
      await Promise.race([stands.promise, pause(5_000)]);
    },
    async findGone() {
      if (performance.now() < buriesFrom) return [];
      return selectSilent(db, [...mine]);
    },
    bury: deleteGone,
    async close() {
      halt.abort();
      await keeping;
    },
  };
}
