import { sql, type Sql } from "../db/sql.ts";

/** When the running change of many contacts moved that has waited longest for its next batch; null: none runs. */
export const oldestDueJob: Sql = sql`(select min(updated_at) from contact_job where state = 'running')`;
