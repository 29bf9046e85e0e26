import { sql, type Sql } from "../../db/sql.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import type { RecipientStatus } from "../../wire/words.ts";
import { causedOptOut } from "./report-recipient-store.ts";
import { currentIdColumn, formerIds } from "../../contacts/record/contact-sql.ts";
import { optOutsOf } from "../../contacts/consent/consent-sql.ts";

/** Recipients of one variant (null: the campaign has none, or nobody was drawn for it) with one outcome. */
export interface OutcomeCount {
  readonly variant: number | null;
  readonly status: RecipientStatus;
  readonly reason: string | null;
  readonly count: number;
}

export interface ResponseCount {
  readonly variant: number | null;
  readonly kind: "replied" | "optedOut";
  readonly count: number;
}

const SENT = sql`('sent', 'delivered', 'read')`;

/** Recipients who answered. One with a failed send answered something else. */
export const repliers = (key: BroadcastKey): Sql => sql`
  select r.contact_id, r.variant from broadcast_reply p
  join broadcast_recipient r on r.workspace_id = p.workspace_id and r.broadcast_id = p.broadcast_id
    and r.contact_id = p.contact_id and r.status in ${SENT}
  where p.workspace_id = ${key.workspaceId} and p.broadcast_id = ${key.id}`;

/**
 * Recipients that opted out because of the campaign. The search starts from the few opt-outs of its days, not from
 * a million recipients.
 */
export const leavers = (key: BroadcastKey): Sql => sql`
  select r.contact_id, r.variant
  from broadcast b
  cross join lateral (
    select distinct ${currentIdColumn(sql`e.workspace_id`, sql`e.contact_id`)} as contact_id
    from ${optOutsOf(sql`b.workspace_id`)} e
    where e.created_at >= date_trunc('second', b.started_at)
      and e.created_at < coalesce(b.completed_at + make_interval(days => b.reply_days), 'infinity')
  ) e
  cross join lateral (
    select e.contact_id as id
    union ${formerIds(sql`b.workspace_id`, sql`e.contact_id`)}
  ) k
  cross join lateral (
    select x.* from broadcast_recipient x where x.workspace_id = b.workspace_id and x.broadcast_id = b.id
      and x.contact_id = k.id limit 1
  ) r
  where b.workspace_id = ${key.workspaceId} and b.id = ${key.id} and ${causedOptOut} is not null`;

/** Replies and opt-outs, counted for each variant. */
export const responseCounts = (key: BroadcastKey): Sql => sql`
  select variant, 'replied' as kind, count(*) as count from (${repliers(key)}) x group by variant
  union all
  select variant, 'optedOut', count(*) from (${leavers(key)}) x group by variant`;

/** An outcome (`kind` null) or a response (`status` null). */
export type CountRow =
  | (OutcomeCount & { readonly kind: null })
  | (ResponseCount & { readonly status: null; readonly reason: null });

/**
 * Outcomes and responses of one instant, so one statement. With two, a recipient who is sent to and answers
 * between them would count as an answer and not as sent.
 */
export const allCounts = (key: BroadcastKey): Sql => sql`
  select * from (
    select variant, status, reason, null as kind, count(*) as count from broadcast_recipient
    where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id} group by variant, status, reason
    union all
    select variant, null, null, kind, count from (${responseCounts(key)}) y
  ) c order by variant, status, reason`;
