import type { Context } from "../context.ts";
import { sql } from "../db/sql.ts";

/** What a workspace was metered in all months: while the clock of a test moves, one may end. */
export async function metered(
  { db }: Pick<Context, "db">,
  workspaceId: string,
): Promise<{ readonly messages: number; readonly sent: number; readonly failed: number }> {
  const [row] = await db.query<{ messages: number; sent: number; failed: number }>(sql`
    select coalesce((select sum(used) from usage_month where workspace_id = ${workspaceId}), 0)::int as messages,
      coalesce(sum(sent), 0)::int as sent, coalesce(sum(failed), 0)::int as failed
    from usage_day where workspace_id = ${workspaceId}`);
  return row ?? { messages: 0, sent: 0, failed: 0 };
}
