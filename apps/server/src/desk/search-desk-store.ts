import { threadOf } from "../conversations/conversation-sql.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { DeskPlace } from "./desk-read-store.ts";

/** What a search of conversations asks for. */
export interface DeskSearch {
  readonly contactIds: readonly string[];
  /** For each contact, its conversations on every channel. */
  readonly channelIds: readonly string[];
  /** The labels, and the channels of which the newest open conversations are wanted. */
  readonly labels: readonly string[];
  readonly namedChannelIds: readonly string[];
}

/**
 * Ids of the inbox's conversations of these people, with these labels or on these channels, behind a place. Those that
 * moved last come first.
 */
export async function searchDeskRows(
  db: Queryable,
  workspaceId: string,
  search: DeskSearch,
  after: DeskPlace | null,
  limit: number,
): Promise<string[]> {
  const behind =
    after === null
      ? sql``
      : sql`and (desk_at, conversation_id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  const newest = sql`order by desk_at desc, conversation_id desc limit ${limit}::int`;
  const rows = await db.query<{ id: string }>(sql`
    select conversation_id as id from (
      select d.conversation_id, d.desk_at
      from unnest(${search.contactIds}::uuid[]) k (id) cross join unnest(${search.channelIds}::uuid[]) h (id)
      cross join lateral ${threadOf(workspaceId, sql`h.id`, sql`k.id`)} c
      cross join lateral (select conversation_id, desk_at from desk_conversation
        where workspace_id = ${workspaceId} and conversation_id = c.id ${behind} limit 1) d
      union
      select l.conversation_id, l.desk_at from unnest(${search.labels}::text[]) n (label)
      cross join unnest(array['open', 'snoozed', 'resolved']) s (status)
      cross join lateral (select conversation_id, desk_at from desk_label
        where workspace_id = ${workspaceId} and label = n.label and status = s.status ${behind} ${newest}) l
      union
      select d.conversation_id, d.desk_at from unnest(${search.namedChannelIds}::uuid[]) n (id)
      cross join lateral (select conversation_id, desk_at from desk_conversation
        where workspace_id = ${workspaceId} and channel_id = n.id and status = 'open' ${behind} ${newest}) d
    ) f ${newest}`);
  return rows.map(({ id }) => id);
}
