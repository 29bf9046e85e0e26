import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** What a workspace's events say about conversations since the inbox last followed them. */
export interface DeskNews {
  readonly workspaceId: string;
  /** The sequence of the last event that was looked at. */
  readonly scanned: number;
  /** How many events were looked at. */
  readonly looked: number;
  /** Conversations that the inbox must read again. */
  readonly conversationIds: readonly string[];
}

/**
 * The news of up to `workspaces` workspaces in one statement, from `window` events in each. It counts messages of ours
 * that no campaign sent, failed messages, and changed conversations. The search for pieces of JSON is safe: JSON
 * escapes quotes, so no text of a customer looks like them.
 */
export function selectDeskNews(
  db: Queryable,
  workspaces: number,
  window: number,
): Promise<DeskNews[]> {
  return db.query<DeskNews>(sql`
    with behind as materialized (
      select s.workspace_id, coalesce(f.at, 0) as at
      from event_sequence s left join lateral (select at from desk_follow where workspace_id = s.workspace_id limit 1) f on true
      where s.last > coalesce(f.at, 0) and exists (select 1 from event
        where workspace_id = s.workspace_id and sequence > coalesce(f.at, 0)) limit ${workspaces}::int
    )
    select b.workspace_id as "workspaceId", n.scanned, n.looked, n.ids as "conversationIds"
    from behind b cross join lateral (
      select max(e.sequence)::float8 as scanned, count(*)::int as looked,
        coalesce(array_agg(distinct e.conversation) filter (where e.conversation is not null), '{}') as ids
      from (select sequence, case
          when type = 'message.created' and body not like '%"source":"broadcast"%'
            or type = 'message.status' and body like '%"status":"failed"%' then body::json #>> '{data,conversationId}'
          when type = 'conversation.updated' then body::json #>> '{data,conversation,id}' end as conversation
        from event where workspace_id = b.workspace_id and sequence > b.at order by sequence limit ${window}::int) e
    ) n where n.looked > 0`);
}

/** Stores up to where the inbox has followed. It never goes back, because another process may have come further. */
export async function moveDeskFollow(
  db: Queryable,
  places: readonly { readonly workspaceId: string; readonly scanned: number }[],
): Promise<void> {
  await db.query(sql`
    insert into desk_follow as f (workspace_id, at)
    select * from unnest(${places.map((one) => one.workspaceId)}::uuid[], ${places.map((one) => one.scanned)}::bigint[])
      p (workspace_id, at) order by workspace_id
    on conflict (workspace_id) do update set at = greatest(f.at, excluded.at)`);
}

/** What a workspace's events say to the people who look at its conversations. */
export interface ThreadNews {
  readonly workspaceId: string;
  readonly scanned: number;
  readonly looked: number;
  readonly conversationIds: readonly string[];
  /** Whether a channel's state changed. */
  readonly channels: boolean;
}

/**
 * Finds which of the shown conversations have new messages or new states, in the events after a place. One statement
 * for all workspaces.
 */
export function selectThreadNews(
  db: Queryable,
  places: readonly {
    readonly workspaceId: string;
    readonly after: number;
    readonly shown: readonly string[];
  }[],
  window: number,
): Promise<ThreadNews[]> {
  return db.query<ThreadNews>(sql`
    select p.workspace_id as "workspaceId", n.* from jsonb_to_recordset(${JSON.stringify(
      places.map(({ workspaceId, after, shown }) => ({ workspace_id: workspaceId, after, shown })),
    )}::jsonb) p (workspace_id uuid, after bigint, shown text[])
    cross join lateral (
      select max(e.sequence)::float8 as scanned, count(*)::int as looked,
        coalesce(array_agg(distinct e.conversation) filter (where e.conversation = any (p.shown)), '{}') as "conversationIds",
        coalesce(bool_or(e.type = 'channel.status'), false) as channels
      from (select sequence, type, case when cardinality(p.shown) > 0 and type like 'message.%'
          then body::json #>> '{data,conversationId}' end as conversation
        from event where workspace_id = p.workspace_id and sequence > p.after order by sequence limit ${window}::int) e
    ) n`);
}
