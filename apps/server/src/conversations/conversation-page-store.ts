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

const STATUSES: readonly ConversationStatus[] = ["open", "snoozed", "resolved"];
/** Higher than every id: a page from the beginning is one from before it. */
const END = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Of one contact: it has one conversation per channel at most, so each channel is asked by the unique key. */
export function selectOfContact(
  db: Queryable,
  workspaceId: string,
  filter: ConversationFilter & { readonly contactId: string },
  before: string | null,
  limit: number,
): Promise<Conversation[]> {
  const { status = null, channelId = null } = filter;
  return db.query<Conversation>(sql`
    select ${COLUMNS} from (select id from channel where workspace_id = ${workspaceId}) h
    cross join lateral (select * from conversation where workspace_id = ${workspaceId} and channel_id = h.id
      and contact_id = ${filter.contactId} limit 1) c
    where c.id < ${before ?? END}::uuid and (${status}::text is null or c.status = ${status}::text)
      and (${channelId}::uuid is null or c.channel_id = ${channelId}::uuid)
    order by c.id desc limit ${limit}::int`);
}

/** Of all: by the primary key, downwards. */
export function selectPage(
  db: Queryable,
  workspaceId: string,
  before: string | null,
  limit: number,
): Promise<Conversation[]> {
  return db.query<Conversation>(sql`
    select ${COLUMNS} from conversation c
    where c.workspace_id = ${workspaceId} and c.id < ${before ?? END}::uuid
    order by c.id desc limit ${limit}::int`);
}

/**
 * Of a channel, a status or both: the newest of each channel and status, of which `conversation_list` has the ids in
 * order, and of those the newest. What it reads grows with the number of channels and not with that of conversations.
 */
export function selectFiltered(
  db: Queryable,
  workspaceId: string,
  filter: ConversationFilter,
  before: string | null,
  limit: number,
): Promise<Conversation[]> {
  const { status, channelId = null } = filter;
  return db.query<Conversation>(sql`
    select ${COLUMNS} from (
      select k.id from (
        select id from channel where workspace_id = ${workspaceId}
          and (${channelId}::uuid is null or id = ${channelId}::uuid)
      ) h cross join unnest(${status ? [status] : STATUSES}::text[]) s (status) cross join lateral (
        select id from conversation where workspace_id = ${workspaceId} and channel_id = h.id and status = s.status
          and id < ${before ?? END}::uuid
        order by id desc limit ${limit}::int
      ) k
      order by k.id desc limit ${limit}::int
    ) p join conversation c on c.workspace_id = ${workspaceId} and c.id = p.id
    order by c.id desc`);
}
