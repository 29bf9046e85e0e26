import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/**
 * Keeps `contact_total` exact, in the transaction that adds contacts (`by` above 0) or removes some, after their rows
 * are written. Locks the workspaces' rows in order until commit, so call it late. No caller waits for its answer before the
 * commit.
 */
export function moveTotals(
  tx: Tx,
  moves: readonly { readonly workspaceId: string; readonly by: number }[],
): void {
  const sums = new Map<string, number>();
  for (const { workspaceId, by } of moves)
    if (by !== 0) sums.set(workspaceId, (sums.get(workspaceId) ?? 0) + by);
  if (sums.size === 0) return;
  tx.later(
    tx.query(sql`
      insert into contact_total as t (workspace_id, total)
      select w, n from unnest(${[...sums.keys()]}::uuid[], ${[...sums.values()]}::bigint[]) as m(w, n)
      order by w
      on conflict (workspace_id) do update set total = t.total + excluded.total`),
  );
}
