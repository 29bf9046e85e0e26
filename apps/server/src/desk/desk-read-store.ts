import { answeredThread, conversationAt } from "../conversations/conversation-sql.ts";
import { contactAt } from "../contacts/record/contact-sql.ts";
import type { Queryable } from "../db/database.ts";
import { join, sql, type Sql } from "../db/sql.ts";
import type { DeskOrder } from "../wire/desk-shapes.ts";
import type { ViewTerms } from "../wire/in-view.ts";
import type {
  ChannelType,
  ConversationStatus,
  HandlerKind,
  HandOverReason,
} from "../wire/words.ts";
import { deskNumberOf } from "../webhooks/desk-number-sql.ts";
import { hasFailed, SEEN, viewSource, type DeskLooker } from "./desk-view-sql.ts";

/** A row of the inbox with its customer, as it is stored. */
export interface StoredDeskRow {
  readonly id: string;
  readonly contactId: string;
  readonly contactName: string | null;
  readonly phone: string | null;
  readonly externalId: string;
  readonly channelId: string;
  readonly channelType: ChannelType;
  readonly status: ConversationStatus;
  readonly assigneeId: string | null;
  readonly labels: readonly string[];
  readonly preview: string;
  readonly previewKind: string;
  readonly previewSide: "customer" | "us" | "note";
  readonly previewBy: string | null;
  readonly lastInboundId: string | null;
  readonly lastOutboundId: string | null;
  readonly inboundCount: number;
  readonly answeredCount: number;
  readonly deskAt: Date;
  readonly waitingSince: Date | null;
  readonly snoozedUntil: Date | null;
  readonly windowExpiresAt: Date | null;
  readonly failed: boolean;
  readonly handler: HandlerKind;
  readonly botId: string | null;
  readonly handedReason: HandOverReason | null;
  readonly change: number;
}

/** The part of it that belongs to the member who looks. */
export interface OwnColumns {
  readonly seen: number | null;
  readonly keptUnread: boolean | null;
  readonly mentioned: boolean | null;
}

/** Columns of a row `d` with its conversation `c`, its contact `p` and who answers it, `b`. */
const ROW: Sql = sql`
  d.conversation_id as id, c.contact_id as "contactId", p.name as "contactName", p.phone, c.external_id as "externalId",
  d.channel_id as "channelId", c.channel_type as "channelType", d.status, d.assignee_id as "assigneeId", d.labels,
  d.preview, d.preview_kind as "previewKind", d.preview_side as "previewSide", d.preview_by as "previewBy",
  d.last_inbound_id as "lastInboundId", d.last_outbound_id as "lastOutboundId", d.inbound_count as "inboundCount",
  d.answered_inbound as "answeredCount", d.desk_at as "deskAt",
  d.waiting_since as "waitingSince", d.snoozed_until as "snoozedUntil", d.window_expires_at as "windowExpiresAt",
  ${hasFailed} as failed, coalesce(b.handler, 'nobody') as handler, b.bot_id as "botId",
  b.handed_reason as "handedReason", d.change::float8 as change`;

const customer = (workspaceId: string): Sql => sql`
  cross join lateral ${conversationAt(workspaceId, sql`d.conversation_id`)} c
  left join lateral ${contactAt(workspaceId, sql`c.contact_id`)} p on true
  left join lateral ${answeredThread(workspaceId, sql`d.conversation_id`)} b on true`;

const own = (
  looker: DeskLooker,
): Sql => sql`left join lateral (select seen, kept_unread, mentioned from desk_read
  where workspace_id = ${looker.workspaceId} and member_id = ${looker.memberId} and conversation_id = d.conversation_id
  limit 1) r on true`;

/** The page begins after this row. */
export interface DeskPlace {
  readonly at: Date | null;
  readonly id: string;
}

export interface DeskList {
  readonly terms: ViewTerms;
  readonly order: DeskOrder;
  readonly unread: boolean;
  readonly after: DeskPlace | null;
  readonly limit: number;
}

/** The rows of a view in their order, with the member's own part and the inbox's number, in one statement. */
export function selectDeskPage(
  db: Queryable,
  looker: DeskLooker,
  list: DeskList,
): Promise<(StoredDeskRow & OwnColumns & { readonly number: number })[]> {
  const { from, where, place } = viewSource(list.terms, looker);
  const unread = list.unread ? sql`and d.inbound_count > ${SEEN}` : sql``;
  const order = ORDERS[list.order](place);
  // The number is read in the same snapshot as the rows: every later change has a higher one.
  return db.query(sql`
    select ${ROW}, r.seen, r.kept_unread as "keptUnread", r.mentioned, ${deskNumberOf(looker.workspaceId)} as number
    from (select d.* from ${from} ${list.unread ? own(looker) : sql``}
      where ${where} ${unread} ${behind(list.order, place, list.after)}
      order by ${order} limit ${list.limit}::int) d
    ${customer(looker.workspaceId)} ${own(looker)}
    order by ${ORDERS[list.order](sql`d`)}`);
}

const ORDERS: Readonly<Record<DeskOrder, (place: Sql) => Sql>> = {
  newest: (place) => sql`${place}.desk_at desc, ${place}.conversation_id desc`,
  oldest: (place) => sql`${place}.desk_at, ${place}.conversation_id`,
  waiting: () => sql`d.waiting_since nulls last, d.conversation_id`,
};

function behind(order: DeskOrder, place: Sql, after: DeskPlace | null): Sql {
  if (after === null) return sql``;
  const { at, id } = after;
  switch (order) {
    case "newest":
      return sql`and (${place}.desk_at, ${place}.conversation_id) < (${at}::timestamptz, ${id}::uuid)`;
    case "oldest":
      return sql`and (${place}.desk_at, ${place}.conversation_id) > (${at}::timestamptz, ${id}::uuid)`;
    case "waiting":
      return at === null
        ? sql`and d.waiting_since is null and d.conversation_id > ${id}::uuid`
        : sql`and ((d.waiting_since, d.conversation_id) > (${at}::timestamptz, ${id}::uuid)
            or d.waiting_since is null)`;
  }
}

/** These rows, in no order. An id without a row is left out. */
export function selectDeskRows(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<StoredDeskRow[]> {
  return db.query(sql`
    select ${ROW} from desk_conversation d ${customer(workspaceId)}
    where d.workspace_id = ${workspaceId} and d.conversation_id = any (${ids}::uuid[])`);
}

/** What changed after a number, in the order of the changes. */
export function selectDeskChanges(
  db: Queryable,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<StoredDeskRow[]> {
  return db.query(sql`
    select ${ROW} from (select * from desk_conversation
      where workspace_id = ${workspaceId} and change > ${after}::bigint order by change limit ${limit}::int) d
    ${customer(workspaceId)} order by d.change`);
}

/** The state of a row of the inbox, as it is stored. */
export interface DeskMark {
  readonly id: string;
  readonly status: ConversationStatus;
  readonly assigneeId: string | null;
  readonly labels: readonly string[];
  readonly windowExpiresAt: Date | null;
  readonly lastInboundId: string | null;
  readonly lastOutboundId: string | null;
  readonly previewSide: "customer" | "us" | "note";
  readonly deskAt: Date;
  readonly failed: boolean;
  /** Null: the row is older than this column. */
  readonly unread: boolean | null;
}

/** The marks of those conversations that are in the inbox. */
export function selectDeskMarks(
  db: Queryable,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<DeskMark[]> {
  return db.query<DeskMark>(sql`
    select d.conversation_id as id, d.status, d.assignee_id as "assigneeId", d.labels,
      d.window_expires_at as "windowExpiresAt", d.last_inbound_id as "lastInboundId",
      d.last_outbound_id as "lastOutboundId", d.preview_side as "previewSide", d.desk_at as "deskAt", d.failed, d.unread
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]) k (workspace_id, id)
    cross join lateral (select * from desk_conversation
      where workspace_id = k.workspace_id and conversation_id = k.id limit 1) d`);
}

/** The present number of each workspace's inbox. */
export function selectDeskNumbers(
  db: Queryable,
  workspaceIds: readonly string[],
): Promise<{ readonly workspaceId: string; readonly number: number }[]> {
  return db.query(
    sql`select w.id as "workspaceId", ${deskNumberOf(sql`w.id`)} as number from unnest(${workspaceIds}::uuid[]) w (id)`,
  );
}

/** A view to be counted: once for everybody (null), or for each of these members. */
export interface CountedView {
  readonly name: string;
  readonly terms: ViewTerms;
  readonly memberIds: readonly string[] | null;
}

/** Counts each of these views, up to `most`, in one statement. */
export function countDesk(
  db: Queryable,
  looker: Pick<DeskLooker, "workspaceId" | "now">,
  views: readonly CountedView[],
  most: number,
): Promise<{ readonly name: string; readonly memberId: string | null; readonly n: number }[]> {
  const counts = views.map(({ name, terms, memberIds }) => {
    const { from, where } = viewSource(terms, { ...looker, memberId: sql`who.id` });
    const members = sql`unnest(${memberIds ?? [null]}::uuid[]) who (id)`;
    return sql`select ${name}::text as name, who.id as "memberId",
      (select count(*)::int from (select 1 from ${from} where ${where} limit ${most}::int) k) as n from ${members}`;
  });
  return db.query(join(counts, " union all "));
}

/** A member's own part of these conversations, where there is one. */
export function selectOwnParts(
  db: Queryable,
  workspaceId: string,
  memberId: string,
  ids: readonly string[],
): Promise<
  {
    readonly id: string;
    readonly seen: number;
    readonly keptUnread: boolean;
    readonly mentioned: boolean;
  }[]
> {
  return db.query(sql`select conversation_id as id, seen, kept_unread as "keptUnread", mentioned from desk_read
    where workspace_id = ${workspaceId} and member_id = ${memberId} and conversation_id = any (${ids}::uuid[])`);
}

/** The ids of a view's conversations, the newest first. */
export async function selectDeskIds(
  db: Queryable,
  looker: DeskLooker,
  list: { readonly terms: ViewTerms; readonly unread: boolean },
  limit: number,
): Promise<string[]> {
  const { from, where, place } = viewSource(list.terms, looker);
  const rows = await db.query<{ id: string }>(sql`
    select d.conversation_id as id from ${from} ${list.unread ? own(looker) : sql``}
    where ${where} ${list.unread ? sql`and d.inbound_count > ${SEEN}` : sql``}
    order by ${ORDERS.newest(place)} limit ${limit}::int`);
  return rows.map(({ id }) => id);
}

/** Which of these conversations are in the inbox. */
export function selectInDesk(
  db: Queryable,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<{ readonly id: string }[]> {
  return db.query(sql`select k.id from unnest(${keys.map((key) => key.workspaceId)}::uuid[],
      ${keys.map((key) => key.id)}::uuid[]) k (workspace_id, id)
    cross join lateral (select 1 from desk_conversation
      where workspace_id = k.workspace_id and conversation_id = k.id limit 1) d`);
}

/** How many open conversations each of these members has. */
export function countAssigned(
  db: Queryable,
  workspaceId: string,
  memberIds: readonly string[],
): Promise<{ readonly id: string; readonly n: number }[]> {
  return db.query(sql`
    select m.id, c.n from unnest(${[...memberIds]}::uuid[]) as m (id), lateral (
      select count(*)::int as n from desk_conversation
      where workspace_id = ${workspaceId} and assignee_id = m.id and status = 'open') c`);
}
