import type { Queryable } from "../../db/database.ts";
import { join, sql, type Sql } from "../../db/sql.ts";
import { NIL_ID } from "../../lib/ids.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import type { RecipientStatus } from "../../wire/words.ts";
import { openRecipients } from "../audience/recipient-store.ts";
import { beyondCursors } from "../audience/waiting-store.ts";
import { contactAt, currentIdColumn, formerIds } from "../../contacts/record/contact-sql.ts";
import { optOutsOf } from "../../contacts/consent/consent-sql.ts";
import { messageAt } from "../../messages/record/message-sql.ts";

/** One recipient of a campaign, with the outcome of its message. */
export interface ReportedRecipient {
  readonly contactId: string;
  readonly name: string | null;
  readonly address: string | null;
  readonly status: RecipientStatus;
  /** Why it was skipped, or the platform's code; `detail` its words. */
  readonly reason: string | null;
  readonly detail: string | null;
  readonly messageId: string | null;
  /** The status of the message; null before there is one. */
  readonly conversationId: string | null;
  /** A/B: the index of its variant. */
  readonly variant: number | null;
  /** When the intent to call was committed. */
  readonly calledAt: Date | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
  /** The last change. */
  readonly settledAt: Date | null;
  readonly repliedAt: Date | null;
  readonly optedOutAt: Date | null;
}

export interface RecipientFilter {
  /** One state, or any of several; none: every state. */
  readonly status?: RecipientStatus | readonly RecipientStatus[] | undefined;
  readonly reason?: string | undefined;
}

/** Written out, because a partial index serves a prepared statement only by its literal text. */
const STATUS_IS: Record<RecipientStatus, Sql> = {
  pending: sql`r.status = 'pending'`,
  sending: sql`r.status = 'sending'`,
  sent: sql`r.status = 'sent'`,
  delivered: sql`r.status = 'delivered'`,
  read: sql`r.status = 'read'`,
  failed: sql`r.trouble = 'failed'`,
  skipped: sql`r.trouble = 'skipped'`,
};

/** The present contact of recipient `r`: another one when it was merged. */
const contactNow = currentIdColumn(sql`r.workspace_id`, sql`r.contact_id`);

/** The contact and every contact that was merged into it: the ledger keeps the original contact id. */
const everyId = sql`array(select ${contactNow} union all ${formerIds(sql`r.workspace_id`, contactNow)})`;

/**
 * When recipient `r` of campaign `b` opted out because of it: by the customer's own word or the platform's signal,
 * on the campaign's channel, within its days after the send, and without another campaign's message in between. A
 * recipient that the platform refused because of an earlier opt-out was not sent to, and does not count. Only
 * campaigns that ran between the send and the opt-out are searched for the recipient, because after an old
 * campaign came every campaign since. It is a subquery with a limit: as a join the planner reads those campaigns
 * first.
 */
export const causedOptOut = sql`(select min(e.created_at) from unnest(${everyId}) as k (id)
  cross join lateral (select e.created_at from ${optOutsOf(sql`r.workspace_id`)} e
    where e.contact_id = k.id and e.channel_id is not distinct from b.channel_id
      and e.created_at >= date_trunc('second', r.called_at)
      and e.created_at < r.called_at + make_interval(days => b.reply_days)
    order by e.id desc) e
  where r.status in ('sent', 'delivered', 'read')
    and (select 1 from broadcast o cross join lateral (select x.called_at from broadcast_recipient x
        where x.workspace_id = o.workspace_id and x.broadcast_id = o.id and x.contact_id = r.contact_id
          and x.status in ('sent', 'delivered', 'read') limit 1) x
      where o.workspace_id = r.workspace_id and o.started_at < e.created_at + interval '1 second' and o.id <> b.id
        and coalesce(o.completed_at, 'infinity') > r.called_at and o.channel_id is not distinct from b.channel_id
        and x.called_at > r.called_at and date_trunc('second', x.called_at) <= e.created_at limit 1) is null)`;

/** The states to read, each once. Only failed and skipped recipients have a reason: with one the others are not read. */
function statusesOf({ status = [], reason }: RecipientFilter): readonly RecipientStatus[] {
  const asked = [...new Set([status].flat())];
  return reason === undefined
    ? asked
    : asked.filter((one) => one === "failed" || one === "skipped");
}

const page = (conditions: readonly Sql[], limit: number): Sql => sql`
  select r.* from broadcast_recipient r where ${join(conditions, " and ")} order by r.contact_id limit ${limit}`;

/**
 * Waiting recipients: the first behind the cursors, and the first beyond the cursor of each time zone. When the
 * counts say that none waits, none is searched: beyond the cursor may be any number of skipped ones.
 */
function pendingPage(
  key: BroadcastKey,
  conditions: readonly Sql[],
  after: string,
  limit: number,
): Sql {
  const [workspaceId, id] = [sql`${key.workspaceId}`, sql`${key.id}`];
  const zones = sql`(select b.zones from broadcast b
    where b.workspace_id = ${workspaceId} and b.id = ${id} and ${openRecipients})`;
  const rest = join(conditions, " and ");
  const first = (from: Sql) =>
    sql`select r.* from ${from} and ${rest} order by r.contact_id limit ${limit}`;
  return sql`
    select r.* from (
      (select r.* from broadcast_again a
        cross join lateral (${page([...conditions, sql`r.contact_id = a.contact_id`], 1)}) r
        where a.workspace_id = ${workspaceId} and a.broadcast_id = ${id} and a.contact_id > ${after}
        order by a.contact_id limit ${limit})
      union all
      (${beyondCursors(workspaceId, id, zones, first)})
    ) r order by r.contact_id limit ${limit}`;
}

/** Recipients with an open call. No index holds these either: the batches in progress name them. */
const sendingPage = (key: BroadcastKey, conditions: readonly Sql[], limit: number): Sql => sql`
  select r.* from (select distinct unnest(contact_ids) as contact_id from broadcast_flight
      where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id}) k
  cross join lateral (${page([...conditions, sql`r.contact_id = k.contact_id`], 1)}) r
  order by r.contact_id limit ${limit}`;

/** These are in no index: they are searched along the key. */
const WALKED: readonly RecipientStatus[] = ["sent", "delivered", "read"];

const beyond = (key: BroadcastKey, from: string): Sql[] => [
  sql`r.workspace_id = ${key.workspaceId}`,
  sql`r.broadcast_id = ${key.id}`,
  sql`r.contact_id > ${from}`,
];

/**
 * A page in the order of contacts, after `after`. `window` limits how many recipients are read for a status
 * without an index. When the page is not full, `selectWindowEnd` tells where the next one begins.
 */
export function selectRecipients(
  db: Queryable,
  key: BroadcastKey,
  filter: RecipientFilter,
  after: string | null,
  limit: number,
  window: number | null = null,
): Promise<ReportedRecipient[]> {
  return db.query<ReportedRecipient>(recipientPage(key, filter, after, limit, window));
}

/** The last recipient of a window that begins after `after`; null when there is none. */
export async function selectWindowEnd(
  db: Queryable,
  key: BroadcastKey,
  filter: RecipientFilter,
  after: string | null,
  window: number,
): Promise<string | null> {
  if (!statusesOf(filter).some((one) => WALKED.includes(one))) return null;
  const [last] = await db.query<{ id: string }>(sql`
    select r.contact_id as id from broadcast_recipient r where ${join(beyond(key, after ?? NIL_ID), " and ")}
    order by r.contact_id offset ${window - 1} limit 1`);
  return last?.id ?? null;
}

/**
 * The rows of one page. Several states are each read by their own index, and merged; with one that has no index all are
 * searched along the key.
 */
function recipientRows(
  key: BroadcastKey,
  filter: RecipientFilter,
  from: string,
  limit: number,
  window: number | null,
): Sql {
  const { status: asked, reason } = filter;
  const why = reason === undefined ? [] : [sql`r.reason = ${reason}`];
  if (asked === undefined) return page([...beyond(key, from), ...why], limit);
  const statuses = statusesOf(filter);
  if (statuses.length === 0) return page([...beyond(key, from), sql`false`], limit);
  const one = (status: RecipientStatus): Sql => {
    const conditions = [...beyond(key, from), STATUS_IS[status], ...why];
    if (status === "pending") return pendingPage(key, conditions, from, limit);
    if (status === "sending") return sendingPage(key, conditions, limit);
    return page(conditions, limit);
  };
  if (statuses.some((status) => WALKED.includes(status))) {
    const any = sql`r.status = any(${statuses}::text[])`;
    if (window === null) return page([...beyond(key, from), any], limit);
    return sql`select r.* from (${page(beyond(key, from), window)}) r
      where ${any} order by r.contact_id limit ${limit}`;
  }
  const [first = sql``, ...more] = statuses.map((status) => one(status));
  if (more.length === 0) return first;
  const parts = [first, ...more].map((rows) => sql`(${rows})`);
  return sql`select r.* from (${join(parts, " union all ")}) r order by r.contact_id limit ${limit}`;
}

/** The statement of one page: recipients after `after` in the order of contacts, each with its outcome. */
export function recipientPage(
  key: BroadcastKey,
  filter: RecipientFilter,
  after: string | null,
  limit: number,
  window: number | null = null,
): Sql {
  const rows = recipientRows(key, filter, after ?? NIL_ID, limit, window);
  return sql`
    select r.contact_id as "contactId", c.name, r.address, r.status, r.reason, r.detail, r.message_id as "messageId",
      m.conversation_id as "conversationId", r.variant, r.called_at as "calledAt", m.sent_at as "sentAt", m.delivered_at as "deliveredAt", m.read_at as "readAt",
      r.settled_at as "settledAt",
      case when r.status in ('sent', 'delivered', 'read') then p.replied_at end as "repliedAt", ${causedOptOut} as "optedOutAt"
    from (${rows}) r
    join broadcast b on b.workspace_id = ${key.workspaceId} and b.id = ${key.id}
    left join lateral ${contactAt(sql`r.workspace_id`, contactNow)} c on true
    left join lateral ${messageAt(sql`r.workspace_id`, sql`r.message_id`)} m on true
    left join lateral (select replied_at from broadcast_reply
      where workspace_id = r.workspace_id and broadcast_id = r.broadcast_id and contact_id = r.contact_id limit 1) p on true
    order by r.contact_id`;
}
