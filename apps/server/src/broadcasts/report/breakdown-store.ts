import { sql, type Sql } from "../../db/sql.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import { leavers, repliers } from "./funnel-store.ts";
import { aliasesOf, contactsOf } from "../../contacts/record/contact-sql.ts";

/** The funnel of the recipients with one value. */
export interface BreakdownRow {
  readonly value: string | null;
  readonly total: number;
  readonly skipped: number;
  readonly failed: number;
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly replied: number;
  readonly optedOut: number;
}

/** `attribute` null: by tag. Contacts as they are now, a merged one as the contact it was merged into. */
export function breakdown(key: BroadcastKey, attribute: string | null, top: number): Sql {
  const values =
    attribute === null
      ? sql`left join lateral unnest(c.tags) as v (value) on true`
      : sql`left join lateral (select case when json_typeof(c.attributes -> ${attribute}::text)
            in ('string', 'number', 'boolean') then left(c.attributes ->> ${attribute}::text, 200) end as value) v on true`;
  return sql`
    with who as materialized (
      select v.value, r.status, p.contact_id is not null as replied, o.contact_id is not null as opted_out
      from broadcast_recipient r
      left join ${aliasesOf(key.workspaceId)} a on a.id = r.contact_id
      left join ${contactsOf(key.workspaceId)} c on c.id = coalesce(a.contact_id, r.contact_id)
      left join (${repliers(key)}) p on p.contact_id = r.contact_id
      left join (${leavers(key)}) o on o.contact_id = r.contact_id
      ${values}
      where r.workspace_id = ${key.workspaceId} and r.broadcast_id = ${key.id}
    ), counted as (
      select value, count(*) as total, count(*) filter (where status = 'skipped') as skipped,
        count(*) filter (where status = 'failed') as failed,
        count(*) filter (where status in ('sent', 'delivered', 'read')) as sent,
        count(*) filter (where status in ('delivered', 'read')) as delivered,
        count(*) filter (where status = 'read') as read, count(*) filter (where replied) as replied,
        count(*) filter (where opted_out) as opted_out
      from who group by value
    ), ranked as (select *, row_number() over (order by total desc, value) > ${top} as is_other from counted)
    select is_other as "isOther", case when is_other then null else value end as value, sum(total)::bigint as total,
      sum(skipped)::bigint as skipped, sum(failed)::bigint as failed, sum(sent)::bigint as sent,
      sum(delivered)::bigint as delivered, sum(read)::bigint as read, sum(replied)::bigint as replied,
      sum(opted_out)::bigint as "optedOut"
    from ranked group by 1, 2 order by 1, 3 desc, 2`;
}
