import type { Queryable } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { Conversation, ConversationStatus } from "./conversation.ts";

export interface ConversationFilter {
  readonly status?: ConversationStatus | undefined;
  readonly channelId?: string | undefined;
  readonly contactId?: string | undefined;
}

const COLUMNS: Sql = sql`
  c.workspace_id as "workspaceId", c.id, c.contact_id as "contactId", c.channel_id as "channelId",
  c.channel_type as "channelType", c.external_id as "externalId", c.status, c.assignee_id as "assigneeId", c.labels,
  c.unread_count as "unreadCount", c.window_expires_at as "windowExpiresAt", c.last_message_at as "lastMessageAt",
  c.created_at as "createdAt"`;

const fits = ({ status, channelId }: ConversationFilter): Sql => sql`
  (${status ?? null}::text is null or c.status = ${status ?? null}::text)
  and (${channelId ?? null}::uuid is null or c.channel_id = ${channelId ?? null}::uuid)`;

/** Of one contact: it has one conversation per channel at most, so each channel is asked by the unique key. */
export function selectOfContact(
  db: Queryable,
  workspaceId: string,
  filter: ConversationFilter & { readonly contactId: string },
  before: string | null,
  limit: number,
): Promise<Conversation[]> {
  return db.query<Conversation>(sql`
    select ${COLUMNS} from (select id from channel where workspace_id = ${workspaceId}) h
    cross join lateral (select * from conversation where workspace_id = ${workspaceId} and channel_id = h.id
      and contact_id = ${filter.contactId} limit 1) c
    where (${before}::uuid is null or c.id < ${before}::uuid) and ${fits(filter)}
    order by c.id desc limit ${limit}::int`);
}

/** The ids of the page, and how far was looked: by the primary key from `before` down, at most `window` rows. */
export async function selectPage(
  db: Queryable,
  workspaceId: string,
  filter: ConversationFilter,
  before: string | null,
  want: { readonly limit: number; readonly window: number },
): Promise<{ rows: Conversation[]; scanned: string | null; looked: number }> {
  const rows = await db.query<
    { scanned: string | null; looked: number } & Nullable<Conversation>
  >(sql`
    with looked as materialized (
      select c.id, c.status, c.channel_id from conversation c
      where c.workspace_id = ${workspaceId} and (${before}::uuid is null or c.id < ${before}::uuid)
      order by c.id desc limit ${want.window}::int
    ), page as (
      select c.id from looked c where ${fits(filter)} order by c.id desc limit ${want.limit}::int
    )
    select (select id from looked order by id limit 1) as scanned, (select count(*) from looked) as looked, v.*
    from (values (1)) one (n) left join (
      select ${COLUMNS} from page p join conversation c on c.workspace_id = ${workspaceId} and c.id = p.id
    ) v on true
    order by v.id desc`);
  return {
    rows: rows.filter(isWhole),
    scanned: rows[0]?.scanned ?? null,
    looked: rows[0]?.looked ?? 0,
  };
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** The one row of an empty page has no id. */
function isWhole<R extends Nullable<Conversation>>(row: R): row is R & Conversation {
  return row.id !== null;
}
