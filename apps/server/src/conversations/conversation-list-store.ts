import { channelIds } from "../channels/channel-sql.ts";
import { join, sql, type Sql } from "../db/sql.ts";
import {
  deskByTime,
  deskRowOf,
  isWaiting,
  labelledThreads,
  perhapsUnread,
  waitingRows,
} from "../desk/listed-sql.ts";
import type { ConversationFilter } from "./conversation-page-store.ts";
import { conversationAt, threadOf } from "./conversation-sql.ts";
import { SHOWN_COLUMNS } from "./conversation-store.ts";

/** What a list of conversations may be limited to, beside status, channel and contact. */
export interface ListedFilter extends ConversationFilter {
  /** A member's id; null: not assigned. */
  readonly assigneeId?: string | null | undefined;
  /** As it is stored: trimmed, in lower case. */
  readonly label?: string | undefined;
  readonly unread?: boolean | undefined;
  /** Open, and the customer waits for an answer; false: any other. */
  readonly unanswered?: boolean | undefined;
  /** Only those that changed later. Not with the order `newest`. */
  readonly updatedAfter?: Date | undefined;
}

/**
 * - newest: the newest created first
 * - recent: the one that changed last first
 * - changes: the one that changed longest ago first
 */
export type ListedOrder = "newest" | "recent" | "changes";

/** The row that a page ended with. `at`: when it changed, to the microsecond; null in the order `newest`. */
export interface ListedPlace {
  readonly at: string | null;
  readonly id: string;
}

/** Where a list is read from: the rows of an index, in its order, and the conversation `c` of each. */
interface Source {
  readonly from: Sql;
  readonly where: readonly Sql[];
  /** What the index has beside the conversations of the workspace. */
  readonly order: readonly Sql[];
  readonly id: Sql;
}

/**
 * The conversations that fit the filter, read from the index of its rarest part: contact, label, unanswered, assignee, unread,
 * and the order. The other parts are looked at in each row. In the orders of changes only conversations of the inbox are listed:
 * those that a campaign opened come into it when the customer writes.
 */
export function listedConversations(
  workspaceId: string,
  filter: ListedFilter,
  order: ListedOrder,
  after: ListedPlace | null,
  limit: number,
): Sql {
  const source =
    order === "newest" ? byCreation(workspaceId, filter) : byChange(workspaceId, filter);
  const where = [
    ...source.where,
    ...conditionsOf(workspaceId, filter, order),
    ...behind(source, order, after),
  ];
  const places = [...source.order, source.id];
  const way = order === "changes" ? sql`asc` : sql`desc`;
  const changedAt =
    order === "newest"
      ? sql`null::text`
      : sql`to_char(d.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  return sql`
    select ${SHOWN_COLUMNS}, ${changedAt} as "changedAt"
    from ${source.from} where ${join(where, " and ")}
    order by ${join(
      places.map((place) => sql`${place} ${way}`),
      ", ",
    )} limit ${limit}::int`;
}

function byCreation(workspaceId: string, filter: ListedFilter): Source {
  const { contactId, label, unanswered, assigneeId, unread } = filter;
  const each = (id: Sql) => sql`cross join lateral ${conversationAt(workspaceId, id)} c`;
  if (contactId !== undefined) return { ...ofContact(workspaceId, contactId), order: [] };
  const id = sql`l.conversation_id`;
  if (label !== undefined)
    return {
      from: sql`${labelledThreads(workspaceId, label)} l ${each(id)}`,
      where: [],
      order: [],
      id,
    };
  if (unanswered === true)
    return { from: sql`${waitingRows(workspaceId)} l ${each(id)}`, where: [], order: [], id };
  const own = [sql`c.workspace_id = ${workspaceId}`];
  // The index has the conversations of each assignee, and those without one, in the order of their ids.
  if (assigneeId !== undefined)
    return {
      from: sql`conversation c`,
      where: own,
      order: [sql`c.assignee_id`],
      id: sql`c.id`,
    };
  if (unread === true)
    return { from: sql`${perhapsUnread(workspaceId)} l ${each(id)}`, where: [], order: [], id };
  return { from: sql`conversation c`, where: own, order: [], id: sql`c.id` };
}

function byChange(workspaceId: string, filter: ListedFilter): Source {
  const { contactId, label, unanswered, assigneeId, unread, status, channelId } = filter;
  const order = [sql`d.changed_at`];
  const id = sql`d.conversation_id`;
  const each = sql`cross join lateral ${conversationAt(workspaceId, id)} c`;
  if (contactId !== undefined) {
    const { from, where } = ofContact(workspaceId, contactId);
    const row = sql`cross join lateral ${deskRowOf(workspaceId, sql`c.id`)} d`;
    return { from: sql`${from} ${row}`, where, order, id };
  }
  if (label !== undefined) {
    const row = sql`cross join lateral ${deskRowOf(workspaceId, sql`l.conversation_id`)} d`;
    return {
      from: sql`${labelledThreads(workspaceId, label)} l ${row} ${each}`,
      where: [],
      order,
      id,
    };
  }
  if (unread === true && unanswered !== true)
    return { from: sql`${perhapsUnread(workspaceId)} d ${each}`, where: [], order, id };
  // The row has these too, so that the planner may take their index when they are rare.
  const where = [
    ...(status === undefined ? [] : [sql`d.status = ${status}`]),
    ...(channelId === undefined ? [] : [sql`d.channel_id = ${channelId}`]),
    ...(assigneeId === undefined ? [] : [isAssignee(sql`d.assignee_id`, assigneeId)]),
  ];
  const rows = unanswered === true ? waitingRows(workspaceId) : deskByTime(workspaceId);
  return { from: sql`${rows} d ${each}`, where, order, id };
}

/** A contact has at most one conversation on each channel, so each channel is asked by the unique key. */
const ofContact = (workspaceId: string, contactId: string): Omit<Source, "order"> => ({
  from: sql`${channelIds(workspaceId)} h
    cross join lateral ${threadOf(workspaceId, sql`h.id`, contactId)} c`,
  where: [],
  id: sql`c.id`,
});

function conditionsOf(workspaceId: string, filter: ListedFilter, order: ListedOrder): Sql[] {
  const { status, channelId, contactId, assigneeId, label, unread, unanswered, updatedAfter } =
    filter;
  const onlyWaiting = unanswered === true && contactId === undefined && label === undefined;
  return [
    sql`true`,
    ...(status === undefined ? [] : [sql`c.status = ${status}`]),
    ...(channelId === undefined ? [] : [sql`c.channel_id = ${channelId}`]),
    ...(assigneeId === undefined ? [] : [isAssignee(sql`c.assignee_id`, assigneeId)]),
    ...(label === undefined ? [] : [sql`${label} = any (c.labels)`]),
    ...(unread === undefined ? [] : [sql`(c.unread_count > 0) = ${unread}::boolean`]),
    // The rows that are read are those already.
    ...(unanswered === undefined || onlyWaiting
      ? []
      : [sql`${isWaiting(workspaceId, sql`c.id`)} = ${unanswered}::boolean`]),
    ...(updatedAfter === undefined || order === "newest"
      ? []
      : [sql`d.changed_at > ${updatedAfter}::timestamptz`]),
  ];
}

const isAssignee = (column: Sql, id: string | null): Sql =>
  id === null ? sql`${column} is null` : sql`${column} = ${id}::uuid`;

function behind({ id }: Source, order: ListedOrder, after: ListedPlace | null): Sql[] {
  if (after === null) return [];
  switch (order) {
    case "newest":
      return [sql`${id} < ${after.id}::uuid`];
    case "recent":
      return [sql`(d.changed_at, ${id}) < (${after.at}::timestamptz, ${after.id}::uuid)`];
    case "changes":
      return [sql`(d.changed_at, ${id}) > (${after.at}::timestamptz, ${after.id}::uuid)`];
  }
}
