import type { Queryable } from "../db/database.ts";
import { ifGiven, sql } from "../db/sql.ts";
import { MAX_ID } from "../lib/ids.ts";
import type { ShownConversation } from "./conversation.ts";
import { CONVERSATION_STATUSES, type ConversationStatus } from "../wire/words.ts";
import { SHOWN_COLUMNS } from "./conversation-store.ts";
import { channelIds } from "../channels/channel-sql.ts";
import { threadOf } from "./conversation-sql.ts";

export interface ConversationFilter {
  readonly status?: ConversationStatus | undefined;
  readonly channelId?: string | undefined;
  readonly contactId?: string | undefined;
}

/** Of one contact. It has at most one conversation on each channel, so each channel is asked by the unique key. */
export function selectOfContact(
  db: Queryable,
  workspaceId: string,
  filter: ConversationFilter & { readonly contactId: string },
  before: string | null,
  limit: number,
): Promise<ShownConversation[]> {
  return db.query<ShownConversation>(sql`
    select ${SHOWN_COLUMNS} from ${channelIds(workspaceId)} h
    cross join lateral ${threadOf(workspaceId, sql`h.id`, filter.contactId)} c
    where c.id < ${before ?? MAX_ID}::uuid
      ${ifGiven(filter.status, (given) => sql`and c.status = ${given}`)}
      ${ifGiven(filter.channelId, (given) => sql`and c.channel_id = ${given}`)}
    order by c.id desc limit ${limit}::int`);
}

/** Of all contacts: by the primary key, downwards. */
export function selectPage(
  db: Queryable,
  workspaceId: string,
  before: string | null,
  limit: number,
): Promise<ShownConversation[]> {
  return db.query<ShownConversation>(sql`
    select ${SHOWN_COLUMNS} from conversation c
    where c.workspace_id = ${workspaceId} and c.id < ${before ?? MAX_ID}::uuid
    order by c.id desc limit ${limit}::int`);
}

/**
 * The newest conversations of a channel, a status or both. The index `conversation_list` has the ids of each
 * channel and status in order: this reads the newest of each, and takes the newest of these. So it reads more rows
 * with more channels, but not with more conversations.
 */
export function selectFiltered(
  db: Queryable,
  workspaceId: string,
  filter: ConversationFilter,
  before: string | null,
  limit: number,
): Promise<ShownConversation[]> {
  const { status, channelId } = filter;
  return db.query<ShownConversation>(sql`
    select ${SHOWN_COLUMNS} from (
      select k.id from (
        select id from ${channelIds(workspaceId)} h
        ${ifGiven(channelId, (given) => sql`where id = ${given}`)}
      ) h cross join unnest(${status ? [status] : CONVERSATION_STATUSES}::text[]) s (status) cross join lateral (
        select id from conversation where workspace_id = ${workspaceId} and channel_id = h.id and status = s.status
          and id < ${before ?? MAX_ID}::uuid
        order by id desc limit ${limit}::int
      ) k
      order by k.id desc limit ${limit}::int
    ) p join conversation c on c.workspace_id = ${workspaceId} and c.id = p.id
    order by c.id desc`);
}

/** The next conversations of all workspaces in the order of the primary key. */
export function selectConversationsAfter(
  db: Queryable,
  place: { readonly workspaceId: string; readonly id: string },
  limit: number,
): Promise<{ readonly workspaceId: string; readonly id: string }[]> {
  return db.query(sql`select workspace_id as "workspaceId", id from conversation
    where (workspace_id, id) > (${place.workspaceId}::uuid, ${place.id}::uuid)
    order by workspace_id, id limit ${limit}::int`);
}
