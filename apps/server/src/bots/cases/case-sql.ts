import { ifGiven, sql, type Sql } from "../../db/sql.ts";

/**
 * What runs over cases cost since a moment, with what open calls may cost at the most: of one bot, or of all (null).
 */
export const caseCostSince = (workspaceId: string, since: Date, botId: string | null): Sql =>
  sql`(select coalesce(sum(r.cost), 0)::float8 + coalesce(sum((select sum(x.held) from case_result x
      where x.workspace_id = r.workspace_id and x.run_id = r.id and x.state = 'waiting')), 0)::float8
    from case_run r where r.workspace_id = ${workspaceId} and r.created_at >= ${since}
      ${ifGiven(botId, (given) => sql`and r.bot_id = ${given}`)})`;
