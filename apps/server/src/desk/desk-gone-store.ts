import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { allotDeskNumbers } from "../webhooks/desk-number-sql.ts";

/** Notes which of these conversations the inbox shows. They are about to be deleted. */
export async function insertGone(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await db.query(sql`
    insert into desk_gone (workspace_id, conversation_id)
    select workspace_id, conversation_id from desk_conversation
    where workspace_id = ${workspaceId} and conversation_id = any (${ids}::uuid[])
    on conflict do nothing`);
}

/**
 * Gives the noted conversations their numbers, and forgets those that no page can still ask for. Returns how many
 * got a number.
 */
export async function numberGone(db: Queryable, limit: number, kept: number): Promise<number> {
  const rows = await db.query(sql`
    with item as (
      select workspace_id, conversation_id from desk_gone where change is null
      order by workspace_id, conversation_id limit ${limit}::int for update skip locked
    ), wanted as (
      select workspace_id, count(*) as n from item group by workspace_id
    ), ${allotDeskNumbers}, old as (
      delete from desk_gone g using allotted a
      where g.workspace_id = a.workspace_id and g.change <= a.desk - ${kept}::bigint
    ), numbered as (
      select i.*, a.desk - w.n + row_number() over (partition by i.workspace_id order by i.conversation_id) as change
      from item i join wanted w using (workspace_id) join allotted a using (workspace_id)
    )
    update desk_gone g set change = n.change from numbered n
    where g.workspace_id = n.workspace_id and g.conversation_id = n.conversation_id
    returning 1`);
  return rows.length;
}

/** Conversations that left the inbox after one number, up to and including another. */
export async function selectGone(
  db: Queryable,
  workspaceId: string,
  after: number,
  upTo: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select conversation_id as id from desk_gone
    where workspace_id = ${workspaceId} and change > ${after}::bigint and change <= ${upTo}::bigint order by change`);
  return rows.map(({ id }) => id);
}
