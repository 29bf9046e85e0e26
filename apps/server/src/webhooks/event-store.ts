import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { contactFacts } from "../contacts/record/contact-sql.ts";
import { refsOf } from "../contacts/refs/ref-sql.ts";
import { OPT_IN_KINDS } from "../wire/words.ts";
import { HOLDING_FAILURES } from "./delivery-policy.ts";
import { BODY_END } from "./event.ts";

export interface EventRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly type: string;
  readonly head: string;
  readonly tail: string;
  /** When set, the facts of this contact are added after `tail`, of a contact's own event its refs, and `BODY_END` after them. */
  readonly contactId: string | null;
  /** When set, only this endpoint gets the event, whatever kinds it asked for. */
  readonly onlyEndpointId: string | null;
  /** This endpoint does not get the event, because the event is of its own end. */
  readonly exceptEndpointId: string | null;
  /** Events with the same key reach an endpoint in order. */
  readonly orderKey: string | null;
}

/**
 * JSON never holds this character unescaped. All bodies travel as one text, because escaping a list of them cost as
 * much as making them.
 */
const BETWEEN = "\u001f";
const joined = (texts: readonly string[]): string => texts.join(BETWEEN);

/**
 * Numbers the events, and stores their bytes and one delivery for each endpoint that wants them, in one statement.
 * Returns the number of deliveries. Sequence rows are locked in workspace order, so that batches over several
 * workspaces cannot wait for each other in a circle. A delivery behind an earlier event of its message is not due
 * before that one. Otherwise every look for due deliveries would pass over all of them.
 *
 * "offset 0" keeps the planner from two plans that are good while the tables are empty and later read all of them: the
 * maximum by the index of due deliveries, and a join with all endpoints.
 */
export async function insertEvents(
  db: Queryable,
  rows: readonly EventRow[],
  at: Date,
): Promise<number> {
  const [counted] = await db.query<{ deliveries: number }>(sql`
    with item as (
      select * from unnest(
        ${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.type)}::text[], string_to_array(${joined(rows.map((row) => row.head))}, ${BETWEEN}),
        string_to_array(${joined(rows.map((row) => row.tail))}, ${BETWEEN}), ${rows.map((row) => row.onlyEndpointId)}::uuid[],
        ${rows.map((row) => row.orderKey)}::uuid[], ${rows.map((row) => row.contactId)}::uuid[],
        ${rows.map((row) => row.exceptEndpointId)}::uuid[]
      ) with ordinality as t (workspace_id, id, type, head, tail, only_endpoint, order_key, contact_id, except_endpoint, n)
    ), wanted as (
      select workspace_id, count(*) as n from item group by workspace_id
    ), allotted as (
      insert into event_sequence as s (workspace_id, last)
      select workspace_id, n from wanted order by workspace_id
      on conflict (workspace_id) do update set last = s.last + excluded.last
      returning s.workspace_id, s.last
    ), numbered as (
      select i.*, a.last - w.n + row_number() over (partition by i.workspace_id order by i.n) as sequence
      from item i join wanted w using (workspace_id) join allotted a using (workspace_id)
    ), stored as (
      insert into event (workspace_id, sequence, id, type, body, created_at)
      select i.workspace_id, i.sequence, i.id, i.type, i.head || i.sequence || i.tail || case when i.contact_id is null then ''
          when i.type like 'contact.%' then ${refsOf(sql`i.workspace_id`, sql`i.contact_id`)} || ${BODY_END}
          else coalesce(${contactFacts(sql`i.workspace_id`, sql`i.contact_id`)}, 'null') || ${BODY_END} end,
        ${at}::timestamptz
      from numbered i
    ), queued as (
      insert into delivery (workspace_id, endpoint_id, event_sequence, state, order_key, next_attempt_at, created_at)
      select i.workspace_id, e.id, i.sequence, 'pending',
        i.order_key, case when i.order_key is null then ${at}::timestamptz else greatest(${at}::timestamptz, (
          select max(held.until) from (select p.next_attempt_at as until from delivery p
            where p.workspace_id = i.workspace_id and p.endpoint_id = e.id and p.order_key = i.order_key
              and p.state = 'pending' and p.round_failures < ${HOLDING_FAILURES}::int offset 0) held)) end,
        ${at}::timestamptz
      from numbered i cross join lateral (select id, events from endpoint
        where workspace_id = i.workspace_id offset 0) e
      where case when i.only_endpoint is null
        then (cardinality(e.events) = 0 and i.type <> all (${OPT_IN_KINDS}::text[])) or i.type = any (e.events)
        else e.id = i.only_endpoint end
        and e.id is distinct from i.except_endpoint
      returning 1
    )
    select count(*) as deliveries from queued`);
  return counted?.deliveries ?? 0;
}

/** Leaves out the next `count` numbers of every workspace's events. */
export async function passOverSequences(tx: Tx, count: number): Promise<void> {
  await tx.query(sql`update event_sequence set last = last + ${count}::bigint`);
}
