import { sql, type Sql } from "../db/sql.ts";

/** Since when a customer's message has been due to be looked at for the bots; null: none is. */
export const oldestDueBotLook = (now: Date): Sql =>
  sql`(select min(due_at) from bot_due where due_at <= ${now}::timestamptz)`;
