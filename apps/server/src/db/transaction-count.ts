import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** The number of transactions of all clients that the database has ended since its statistics began. */
export async function transactionCount(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`);
  return row?.count ?? 0;
}
