import type pg from "pg";
import { sqlState } from "./sql-state.ts";
import { WritableClient } from "./writable-client.ts";

/** 42P05: duplicate_prepared_statement. 26000: no statement of that name. */
const MIXED_UP = new Set(["42P05", "26000"]);
const TIMEOUT_MS = 5_000;

/**
 * Why no server may start on this database, or null. The reason is a pooler that gives each transaction another
 * connection and does not support prepared statements (PgBouncer before 1.21, and later without
 * `max_prepared_statements`). Calls would fail by chance behind it. Any other error here is not counted: too many
 * connections or a failover prove nothing about the pooler.
 */
export async function poolerFault(connectionString: string): Promise<string | null> {
  const open = () => new WritableClient({ connectionString, query_timeout: TIMEOUT_MS });
  const [first, second] = [open(), open()];
  const prepared = (client: pg.Client, name: string) => client.query({ name, text: "select 1" });
  try {
    for (const client of [first, second]) {
      // When it is cut, its statement fails.
      client.on("error", () => {});
      await client.connect();
    }
    // When the pooler gives out the connection that was used last, the second client meets the first one's statement.
    // When it gives another each time, the first client misses its own.
    await prepared(first, "parley_both");
    await prepared(second, "parley_both");
    for (let again = 0; again < 3; again++) await prepared(first, "parley_first");
    return null;
  } catch (error) {
    if (!MIXED_UP.has(sqlState(error) ?? "")) return null;
    return `the pooler in front of it mixes up prepared statements (${String(error)}); let it be in session mode, or PgBouncer 1.21 or newer with max_prepared_statements above 0`;
  } finally {
    await Promise.all([first, second].map((client) => client.end().catch(() => {})));
  }
}
