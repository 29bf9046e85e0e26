import { sql, type Sql } from "../db/sql.ts";

/** Whether a login has two-factor on. */
export const hasTwoFactor = (loginId: Sql): Sql =>
  sql`exists (select 1 from login where id = ${loginId} and totp_sealed is not null)`;
