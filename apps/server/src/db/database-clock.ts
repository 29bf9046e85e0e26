import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** How far PostgreSQL's clock is ahead of `now`, in milliseconds; below 0 when it is behind. */
export async function aheadOf(db: Queryable, now: Date): Promise<number> {
  const [row] = await db.query<{ ms: number }>(
    sql`select extract(epoch from clock_timestamp() - ${now}::timestamptz)::float8 * 1000 as ms`,
  );
  return row?.ms ?? 0;
}
