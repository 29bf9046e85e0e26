import type pg from "pg";
import { type Doubt, lend } from "./lend.ts";
import { runStatement } from "./run-statement.ts";
import type { Sql } from "./sql.ts";
import { sqlState } from "./sql-state.ts";
import { cutAt, NoAnswer, QueryTimeout } from "./time-limit.ts";

/** PostgreSQL ends a slow read on time. When it is silent for this much longer, the connection is given up. */
const CANCELLED_MS = 5_000;
/** A bitmap of a million contacts needs more than 8 MB; a coarser one reads three times as much. */
const WORK_MEM = "32MB";

/**
 * Gives `atOnce` places. A caller that gets none within `waitMs` fails with `NoAnswer`. The returned function of a place
 * gives it back.
 */
export function createPlaces(atOnce: number, waitMs: number): () => Promise<() => void> {
  const waiting = new Set<() => void>();
  let taken = 0;
  const leave = (): void => {
    const [next] = waiting;
    if (next) next();
    else taken--;
  };
  return async () => {
    if (taken < atOnce) taken++;
    else
      await new Promise<void>((resolve, reject) => {
        const admit = (): void => {
          clearTimeout(timer);
          waiting.delete(admit);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(admit);
          reject(new NoAnswer("too many slow reads at once"));
        }, waitMs);
        waiting.add(admit);
      });
    return leave;
  };
}

/**
 * From its sixth use on, PostgreSQL plans a prepared statement for an average workspace. `by index`: planned each time,
 * and no table is read from its beginning, however few rows are wanted.
 */
export type HowPlanned = "prepared" | "planned each time" | "by index";

/** Runs one slow read on a connection of `pool`; PostgreSQL ends it after `timeoutMs`. */
export async function readSlowly<Row extends object>(
  pool: pg.Pool,
  doubt: Doubt,
  statement: Sql,
  timeoutMs: number,
  how: HowPlanned = "prepared",
): Promise<Row[]> {
  const client = await lend(pool, doubt);
  const since = performance.now();
  const stop = cutAt(since + timeoutMs + CANCELLED_MS, client, () => doubt.raise(since));
  let broken = false;
  try {
    // The settings hold for this transaction only: the next user of the connection looks for its rows by key.
    await client.query(
      `begin; set local statement_timeout = ${Math.trunc(timeoutMs)}; set local work_mem = '${WORK_MEM}'; set local enable_seqscan = ${how === "by index" ? "off" : "on"}`,
    );
    const rows = await runStatement<Row>(
      client,
      statement,
      "slow",
      how === "prepared" ? how : "planned each time",
    );
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
