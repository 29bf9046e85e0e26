import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { OwnView } from "./desk-view.ts";

const COLUMNS = sql`id, member_id as "memberId", name, filter`;

/** Shared views and these members' own, in the order of their creation. */
export function selectOwnViews(
  db: Queryable,
  workspaceId: string,
  memberIds: readonly string[],
): Promise<OwnView[]> {
  return db.query<OwnView>(sql`
    select ${COLUMNS} from desk_view
    where workspace_id = ${workspaceId} and (member_id is null or member_id = any (${memberIds}::uuid[]))
    order by id`);
}

/** One view, locked until the transaction ends. */
export async function lockOwnView(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<OwnView | null> {
  const [row] = await tx.query<OwnView>(sql`
    select ${COLUMNS} from desk_view where workspace_id = ${workspaceId} and id = ${id} for update`);
  return row ?? null;
}

/** How many of them a member has, or how many are shared (null). */
export async function countOwnViews(
  tx: Tx,
  workspaceId: string,
  memberId: string | null,
): Promise<number> {
  const [row] = await tx.query<{ n: number }>(sql`
    select count(*)::int as n from desk_view
    where workspace_id = ${workspaceId} and member_id is not distinct from ${memberId}::uuid`);
  return row?.n ?? 0;
}

/** Stores a new view, or writes a changed one. Gives it as it is read from now on: the order of its members is another. */
export async function putOwnView(
  tx: Tx,
  workspaceId: string,
  view: OwnView,
  at: Date,
): Promise<OwnView> {
  const [row] = await tx.query<OwnView>(sql`
    insert into desk_view (workspace_id, id, member_id, name, filter, created_at)
    values (${workspaceId}, ${view.id}, ${view.memberId}, ${view.name}, ${JSON.stringify(view.filter)}::jsonb, ${at})
    on conflict (workspace_id, id) do update set name = excluded.name, filter = excluded.filter
    returning ${COLUMNS}`);
  if (!row) throw new Error("the view was not stored");
  return row;
}

/** Deletes one. */
export async function removeOwnView(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.query(sql`delete from desk_view where workspace_id = ${workspaceId} and id = ${id}`);
}
