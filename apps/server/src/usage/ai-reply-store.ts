import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

interface AiGrant {
  readonly granted: boolean;
  readonly used: number;
  /** The threshold that was announced before, and the one after. */
  readonly before: number;
  readonly announced: number;
}

/** Takes one AI reply when the limit leaves one. The row is locked until the transaction ends. */
export async function reserveOneAi(
  tx: Tx,
  workspaceId: string,
  month: string,
  limit: number | null,
): Promise<AiGrant> {
  tx.later(
    tx.query(sql`
    insert into usage_month (workspace_id, month) values (${workspaceId}, ${month}::date) on conflict do nothing`),
  );
  const [row] = await tx.query<AiGrant>(sql`
    with held as (
      select ai_used, ai_announced, ${limit}::bigint as ceiling from usage_month
      where workspace_id = ${workspaceId} and month = ${month}::date for update
    ), given as (
      select *, case when ceiling is null or ai_used < ceiling then 1 else 0 end as one from held
    )
    update usage_month m set ai_used = g.ai_used + g.one,
      ai_announced = greatest(g.ai_announced, case
        when g.one = 0 or g.ceiling is null then 0
        when (g.ai_used + 1) >= g.ceiling then 100
        when (g.ai_used + 1) * 100 >= g.ceiling * 80 then 80
        else 0 end)
    from given g where m.workspace_id = ${workspaceId} and m.month = ${month}::date
    returning g.one = 1 as granted, m.ai_used as used, g.ai_announced as before, m.ai_announced as announced`);
  if (!row) throw new Error("no row of the meter");
  return row;
}

/** Gives one back. */
export async function returnAi(tx: Tx, workspaceId: string, month: string): Promise<void> {
  await tx.query(sql`
    update usage_month set ai_used = ai_used - 1
    where workspace_id = ${workspaceId} and month = ${month}::date`);
}
