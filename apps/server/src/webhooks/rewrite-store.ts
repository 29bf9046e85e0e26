import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";

interface Look {
  readonly after: number;
  readonly window: number;
  readonly words: readonly string[];
}

// Only an event's text says which persons it names, and an index for that would slow down every event. So events are
// read by the primary key, a window at a time.
const looked = (workspaceId: string, { after, window }: Look): Sql => sql`
  looked as materialized (
    select sequence, type, id, body, created_at from event
    where workspace_id = ${workspaceId} and sequence > ${after}::bigint order by sequence limit ${window}::int
  )`;
const names = (words: readonly string[]): Sql => sql`
  exists (select 1 from unnest(${words}::text[]) as n (word) where position(n.word in l.body) > 0)`;

export interface NamingPage<Row> {
  readonly looked: number;
  readonly last: number | null;
  readonly rows: readonly Row[];
}

interface Ends {
  looked: number;
  last: number | null;
}

/** Looks at the next events, and gives the bodies of those that hold one of the words. */
export async function selectNaming(
  tx: Tx,
  workspaceId: string,
  look: Look,
): Promise<NamingPage<{ readonly sequence: number; readonly body: string }>> {
  const rows = await tx.query<Ends & { sequence: number | null; body: string | null }>(sql`
    with ${looked(workspaceId, look)}
    select (select count(*)::int from looked) as looked, (select max(sequence) from looked) as last,
      l.sequence, l.body
    from (values (1)) one (n) left join looked l on ${names(look.words)} order by l.sequence`);
  return page(rows, ({ sequence, body }) =>
    sequence === null || body === null ? [] : [{ sequence, body }],
  );
}

export interface NamingEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly createdAt: Date;
  /** The number of endpoints to which it was delivered. */
  readonly delivered: number;
}

/** The same without bodies, but with the number of endpoints that got each event. */
export async function selectNamingKinds(
  db: Queryable,
  workspaceId: string,
  look: Look,
): Promise<NamingPage<NamingEvent>> {
  const rows = await db.query<Ends & { [K in keyof NamingEvent]: NamingEvent[K] | null }>(sql`
    with ${looked(workspaceId, look)}
    select (select count(*)::int from looked) as looked, (select max(sequence) from looked) as last,
      l.sequence, l.id, l.type, l.created_at as "createdAt",
      (select count(*)::int from endpoint e join delivery d on d.workspace_id = e.workspace_id
        and d.endpoint_id = e.id and d.event_sequence = l.sequence and d.state = 'delivered'
        where e.workspace_id = ${workspaceId}) as delivered
    from (values (1)) one (n) left join looked l on ${names(look.words)} order by l.sequence`);
  return page(rows, ({ id, type, sequence, createdAt, delivered }) =>
    id === null || type === null || sequence === null || createdAt === null
      ? []
      : [{ id, type, sequence, createdAt, delivered: delivered ?? 0 }],
  );
}

function page<Found extends Ends, Row>(
  rows: readonly Found[],
  read: (row: Found) => Row[],
): NamingPage<Row> {
  return { looked: rows[0]?.looked ?? 0, last: rows[0]?.last ?? null, rows: rows.flatMap(read) };
}

/** Replaces the bodies of events, for an erasure, and deletes the receivers' answers to them. */
export async function writeBodies(
  tx: Tx,
  workspaceId: string,
  rows: readonly { readonly sequence: number; readonly body: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  const sequences = rows.map((row) => row.sequence);
  await tx.query(sql`
    update event e set body = n.body
    from unnest(${sequences}::bigint[], ${rows.map((row) => row.body)}::text[]) as n (sequence, body)
    where e.workspace_id = ${workspaceId} and e.sequence = n.sequence`);
  await tx.query(sql`
    update delivery_attempt a set answer = null from endpoint e
    where e.workspace_id = ${workspaceId} and a.workspace_id = e.workspace_id and a.endpoint_id = e.id
      and a.event_sequence = any(${sequences}::bigint[]) and a.answer is not null`);
  // The acknowledged attempt is stored in the delivery itself.
  await tx.query(sql`
    update delivery d set answer = null from endpoint e
    where e.workspace_id = ${workspaceId} and d.workspace_id = e.workspace_id and d.endpoint_id = e.id
      and d.event_sequence = any(${sequences}::bigint[]) and d.answer is not null`);
}
