import { createHash } from "node:crypto";
import type pg from "pg";
import { parameterOf } from "./parameter.ts";
import type { Sql } from "./sql.ts";
import { Histogram, SECONDS } from "../lib/counts.ts";

/**
 * Who waits for a statement: a request, a step or a piece of a worker's work (`time-limit.ts`), a short read on a
 * shared connection, a slow read of a page. `commit`: a transaction's commit, which waits for the disk.
 */
export type StatementLane = "request" | "step" | "piece" | "read" | "slow" | "commit";

const durations = new Histogram(
  "parley_statement_duration_seconds",
  "Time from sending a statement to PostgreSQL until its answer, by who waits for it",
  {
    label: "lane",
    values: ["request", "step", "piece", "read", "slow", "commit"] satisfies StatementLane[],
    bounds: SECONDS,
  },
);

/** Counts one answered statement. `sentAt` is in `performance.now()`. */
export function countStatement(lane: StatementLane, sentAt: number): void {
  durations.observe(lane, (performance.now() - sentAt) / 1_000);
}

// A named statement is prepared once per connection (6.4k → 9.1k point reads a second). The number of names is limited,
// because the text of a segment's query is made at run time.
const names = new Map<string, string>();
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= 500) return undefined;
  const name = createHash("sha1").update(text).digest("base64url");
  names.set(text, name);
  return name;
}

/**
 * Runs one statement and returns its rows. It is prepared on its connection, unless it is to be planned for its own
 * values.
 */
export async function runStatement<Row extends object>(
  client: pg.Pool | pg.ClientBase,
  statement: Sql,
  lane: StatementLane,
  how: "prepared" | "planned each time" = "prepared",
): Promise<Row[]> {
  const { text } = statement;
  const name = how === "prepared" ? nameOf(text) : undefined;
  const values = statement.values.map(parameterOf);
  const sentAt = performance.now();
  try {
    const rows = await ask<Row>(
      client,
      name === undefined ? { text, values } : { name, text, values },
    );
    countStatement(lane, sentAt);
    return rows;
  } catch (error) {
    // The stack of the driver begins at its socket: this one leads back to who asked.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/**
 * By callback, not by the driver's own promise. With that promise every row outlives two collections of young memory,
 * so the old memory is collected every two seconds under load. That cost 20 to 50 ms in which no request was answered.
 */
function ask<Row extends object>(
  client: pg.Pool | pg.ClientBase,
  query: pg.QueryConfig,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    // The pool gives no result together with its error.
    client.query<Row>(query, (error: Error | null, result: pg.QueryResult<Row>) => {
      if (error) reject(error);
      else resolve(result.rows);
    });
  });
}
