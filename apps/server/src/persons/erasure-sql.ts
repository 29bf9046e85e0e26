import { sql, type Sql } from "../db/sql.ts";

/** Since when an erasure has been due; null: none is. */
export const oldestDueErasure = (now: Date): Sql =>
  sql`(select min(due_at) from person_erasure where state = 'running' and due_at <= ${now}::timestamptz)`;
