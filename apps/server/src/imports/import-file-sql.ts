import { sql, type Sql } from "../db/sql.ts";

/** Since when an import has waited for a worker, or has been without one; null: none waits. */
export const oldestDueImport = (now: Date): Sql =>
  sql`(select min(available_at) from import_file where available_at <= ${now}::timestamptz)`;
