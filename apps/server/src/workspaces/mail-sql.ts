import { sql, type Sql } from "../db/sql.ts";

/** Since when a notice or a letter has been due to be mailed; null: none is. */
export const oldestDueMail = (now: Date): Sql => sql`least(
  (select min(mail_due_at) from notice where mail_due_at <= ${now}::timestamptz),
  (select min(due_at) from letter where due_at <= ${now}::timestamptz))`;
