import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { ConsentChange } from "./set-consent.ts";

export interface ChangedConsent {
  readonly workspaceId: string;
  readonly document: string;
  /** The change that brought it about. */
  readonly change: ConsentChange;
}

interface LockedRow {
  workspace_id: string;
  id: string;
  opted_out: boolean;
  asked: number;
}

/** One round of changes in the same direction, each contact once. Gives the contacts whose state changed. */
export async function applyConsent(
  context: Pick<Context, "ids">,
  tx: Tx,
  changes: readonly ConsentChange[],
): Promise<ChangedConsent[]> {
  const optedOut = changes[0]?.optedOut;
  if (optedOut === undefined) return [];
  const locked = await tx.query<LockedRow>(sql`
    with asked as materialized (
      select c.workspace_id, c.id, c.phone, a.n
      from unnest(${changes.map((c) => c.workspaceId)}::uuid[], ${changes.map((c) => c.contactId)}::uuid[])
        with ordinality as a(workspace_id, id, n)
      join contact c on c.workspace_id = a.workspace_id and c.id = a.id
    ), affected as materialized (
      select workspace_id, id, min(n) as n from (
        select workspace_id, id, n from asked
        union all
        select c.workspace_id, c.id, a.n from asked a
        join contact c on c.workspace_id = a.workspace_id and c.phone = a.phone where a.phone is not null
      ) as both_ways group by workspace_id, id
    )
    select c.workspace_id, c.id, c.opted_out_at is not null as opted_out, a.n::int as asked
    from affected a join contact c on c.workspace_id = a.workspace_id and c.id = a.id
    order by c.workspace_id, c.id for update of c`);
  const due = locked.flatMap((row) => {
    const change = changes[row.asked - 1];
    return change && row.opted_out !== optedOut ? [{ ...row, change }] : [];
  });
  if (due.length === 0) return [];
  const at = due.map((row) => row.change.at);
  const rows = await tx.query<{ workspace_id: string; id: string; document: string }>(sql`
    with due as (
      select * from unnest(${due.map((row) => row.workspace_id)}::uuid[], ${due.map((row) => row.id)}::uuid[],
        ${due.map(() => context.ids.next())}::uuid[], ${due.map((row) => row.change.source)}::text[],
        ${at}::timestamptz[]) as d(workspace_id, id, entry_id, source, at)
    ), ledger as (
      insert into consent_entry (workspace_id, id, contact_id, opted_out, source, created_at)
      select workspace_id, entry_id, id, ${optedOut}, source, at from due
    )
    update contact c set opted_out_at = case when ${optedOut} then d.at end, updated_at = d.at
    from due d where c.workspace_id = d.workspace_id and c.id = d.id
    returning c.workspace_id, c.id, c.document`);
  const changeOf = new Map(due.map((row) => [row.id, row.change]));
  return rows.flatMap((row) => {
    const change = changeOf.get(row.id);
    return change ? [{ workspaceId: row.workspace_id, document: row.document, change }] : [];
  });
}
