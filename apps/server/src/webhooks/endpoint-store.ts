import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EventKind } from "../wire/words.ts";
import { workspaceWith } from "../workspaces/workspace-sql.ts";

const COLUMNS = sql`id, workspace_id as "workspaceId", name, url, events, consecutive_failures as "consecutiveFailures",
  disabled_at as "disabledAt", disabled_reason as "disabledReason", old_secret_until as "secretTakesOverAt",
  created_at as "createdAt"`;

/**
 * Stores a new endpoint, which is enabled. Undefined when there is no such workspace, or when another endpoint has the
 * name: it waits for a transaction that is about to store that one.
 */
export async function insertEndpoint(
  db: Queryable,
  row: {
    readonly workspaceId: string;
    readonly id: string;
    readonly name: string | null;
    /** What is shown of the address. */
    readonly url: string;
    readonly urlSealed: Buffer;
    readonly events: readonly EventKind[];
    readonly secretSealed: Buffer;
    readonly at: Date;
  },
): Promise<Endpoint | undefined> {
  const [endpoint] = await db.query<Endpoint>(sql`
    insert into endpoint (workspace_id, id, name, url, url_sealed, events, secret_sealed, created_at)
    select w.id, ${row.id}, ${row.name}, ${row.url}, ${row.urlSealed}, ${row.events}::text[], ${row.secretSealed}, ${row.at}
    from ${workspaceWith(row.workspaceId)} w
    on conflict (workspace_id, name) where name is not null do nothing returning ${COLUMNS}`);
  return endpoint;
}

/** How many endpoints the workspace has. No other transaction that asks makes one before this one ends. */
export async function lockEndpointCount(tx: Tx, workspaceId: string): Promise<number> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`endpoints:${workspaceId}`}, 0))`,
  );
  const [row] = await tx.query<{ n: number }>(
    sql`select count(*)::int as n from endpoint where workspace_id = ${workspaceId}`,
  );
  return row?.n ?? 0;
}

/** All endpoints of the workspace, oldest first. */
export function selectEndpoints(db: Queryable, workspaceId: string): Promise<Endpoint[]> {
  return db.query<Endpoint>(
    sql`select ${COLUMNS} from endpoint where workspace_id = ${workspaceId} order by id`,
  );
}

/** Endpoints of the workspace after an id, oldest first. */
export function selectEndpointsAfter(
  db: Queryable,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<Endpoint[]> {
  return db.query<Endpoint>(sql`select ${COLUMNS} from endpoint
    where workspace_id = ${workspaceId} and id > ${after} order by id limit ${limit}::int`);
}

/** An endpoint with its sealed address, locked against other changes. */
export async function lockEndpoint(
  tx: Tx,
  workspaceId: string,
  by: { readonly id: string } | { readonly name: string },
): Promise<(Endpoint & { readonly urlSealed: Buffer | null }) | undefined> {
  const [endpoint] = await tx.query<Endpoint & { readonly urlSealed: Buffer | null }>(sql`
    select ${COLUMNS}, url_sealed as "urlSealed" from endpoint where workspace_id = ${workspaceId}
      and ${"id" in by ? sql`id = ${by.id}` : sql`name = ${by.name}`} for update`);
  return endpoint;
}

/** Deletes an endpoint. Its deliveries are left to `sweepDeletedEndpoints`. */
export async function deleteEndpointRow(
  tx: Tx,
  workspaceId: string,
  id: string,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    with deleted as (delete from endpoint where workspace_id = ${workspaceId} and id = ${id}
      returning workspace_id, id)
    insert into deleted_endpoint (workspace_id, endpoint_id, deleted_at)
    select workspace_id, id, ${at}::timestamptz from deleted`);
}

/** One endpoint of the workspace. */
export async function selectEndpoint(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<Endpoint | undefined> {
  const [endpoint] = await db.query<Endpoint>(
    sql`select ${COLUMNS} from endpoint where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return endpoint;
}

/** The workspace of an endpoint, for the command line, which names only the endpoint. */
export async function selectWorkspaceOfEndpoint(
  db: Queryable,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ workspaceId: string }>(
    sql`select workspace_id as "workspaceId" from endpoint where id = ${id}`,
  );
  return row?.workspaceId;
}

/** Changes an endpoint. Null leaves a column as it is. Undefined when there is no such endpoint. */
export async function updateEndpointRow(
  db: Queryable,
  workspaceId: string,
  id: string,
  change: {
    readonly address: { readonly url: string; readonly urlSealed: Buffer } | null;
    readonly events: readonly EventKind[] | null;
    /** Undefined leaves it. */
    readonly name?: string | null;
  },
): Promise<Endpoint | undefined> {
  const { name } = change;
  const [endpoint] = await db.query<Endpoint>(sql`
    update endpoint set name = case when ${name !== undefined}::boolean then ${name ?? null}::text else name end,
      url = coalesce(${change.address?.url ?? null}::text, url),
      url_sealed = coalesce(${change.address?.urlSealed ?? null}::bytea, url_sealed), events = coalesce(${change.events}::text[], events)
    where workspace_id = ${workspaceId} and id = ${id} returning ${COLUMNS}`);
  return endpoint;
}

/** Locks endpoints of any workspace whose address is not sealed yet. */
export function lockUnsealed(
  tx: Tx,
  limit: number,
): Promise<{ readonly workspaceId: string; readonly id: string; readonly url: string }[]> {
  return tx.query(sql`
    select workspace_id as "workspaceId", id, url from endpoint where url_sealed is null
    order by workspace_id, id limit ${limit}::int for update`);
}

/** Stores addresses sealed, each with what may be shown of it. */
export async function writeSealedAddress(
  tx: Tx,
  rows: readonly {
    readonly workspaceId: string;
    readonly id: string;
    readonly url: string;
    readonly urlSealed: Buffer;
  }[],
): Promise<void> {
  await tx.query(sql`
    update endpoint e set url = r.url, url_sealed = r.url_sealed
    from unnest(${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.url)}::text[], ${rows.map((row) => row.urlSealed)}::bytea[])
      as r (workspace_id, id, url, url_sealed)
    where e.workspace_id = r.workspace_id and e.id = r.id`);
}

/**
 * Stores a new secret. The one that signs at `now` goes on until `takesOverAt`; with null the new one signs at once. A
 * secret that was still waiting to take over is dropped, because it never signed.
 */
export async function replaceSecret(
  db: Queryable,
  workspaceId: string,
  id: string,
  secretSealed: Buffer,
  { now, takesOverAt }: { readonly now: Date; readonly takesOverAt: Date | null },
): Promise<Endpoint | undefined> {
  const [endpoint] = await db.query<Endpoint>(sql`
    update endpoint set secret_sealed = ${secretSealed}, old_secret_until = ${takesOverAt}::timestamptz,
      old_secret_sealed = case when ${takesOverAt}::timestamptz is null then null
        when old_secret_until > ${now}::timestamptz then old_secret_sealed else secret_sealed end
    where workspace_id = ${workspaceId} and id = ${id} returning ${COLUMNS}`);
  return endpoint;
}

/**
 * Disables an endpoint. Its waiting deliveries are held until it is enabled. Undefined when there is no such endpoint,
 * or when it is disabled already.
 */
export async function markDisabled(
  tx: Tx,
  workspaceId: string,
  id: string,
  reason: string,
  at: Date,
): Promise<Endpoint | undefined> {
  const [endpoint] = await tx.query<Endpoint>(sql`
    update endpoint set disabled_at = ${at}, disabled_reason = ${reason}
    where workspace_id = ${workspaceId} and id = ${id} and disabled_at is null returning ${COLUMNS}`);
  return endpoint;
}

/**
 * Enables an endpoint, sets its count of failures to zero and ends its rest after a failure. Held deliveries can be
 * claimed at once, each in a new round of the retry schedule. Deliveries that wait for their next try are not made due
 * yet: that is the task of `hastenBatch`.
 */
export async function markEnabled(
  db: Queryable,
  workspaceId: string,
  id: string,
  at: Date,
): Promise<Endpoint | undefined> {
  const [endpoint] = await db.query<Endpoint>(sql`
    update endpoint set disabled_at = null, disabled_reason = null, consecutive_failures = 0,
      enabled_at = case when disabled_at is null then enabled_at else ${at} end,
      busy_until = case when busy_by is not null then busy_until end,
      hastening = hastening or disabled_at is not null
    where workspace_id = ${workspaceId} and id = ${id} returning ${COLUMNS}`);
  return endpoint;
}

/**
 * Makes up to `limit` deliveries of an enabled endpoint due, the latest first: those that have waited for their next
 * try since before it was enabled. Returns how many. They become due at the time they were made, at most at the time of
 * enabling. If they were due only now, the oldest would come last, behind every delivery that was never tried. After
 * the last batch the endpoint loses its mark. A delivery that another transaction holds is left out, because it is
 * being sent.
 */
export async function hastenBatch(
  db: Queryable,
  workspaceId: string,
  id: string,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ moved: number }>(sql`
    with mark as (
      select workspace_id, id, enabled_at from endpoint
      where workspace_id = ${workspaceId} and id = ${id} and hastening
    ), late as (
      select d.workspace_id, d.endpoint_id, d.event_sequence, least(d.created_at, m.enabled_at) as due_at
      from mark m join delivery d
        on d.workspace_id = m.workspace_id and d.endpoint_id = m.id and d.state = 'pending'
        and d.next_attempt_at > m.enabled_at and coalesce(d.attempted_at, d.created_at) <= m.enabled_at
      order by d.next_attempt_at desc limit ${limit}::int for update of d skip locked
    ), moved as (
      update delivery d set next_attempt_at = l.due_at, round_failures = 0 from late l
      where d.workspace_id = l.workspace_id and d.endpoint_id = l.endpoint_id and d.event_sequence = l.event_sequence
      returning 1
    ), cleared as (
      update endpoint e set hastening = false from mark m
      where e.workspace_id = m.workspace_id and e.id = m.id and (select count(*) from late) < ${limit}::int
    )
    select count(*) as moved from moved`);
  return row?.moved ?? 0;
}

/** Enabled endpoints that still have deliveries to be made due. */
export function selectHastening(
  db: Queryable,
): Promise<{ readonly workspaceId: string; readonly endpointId: string }[]> {
  return db.query(sql`
    select workspace_id as "workspaceId", id as "endpointId" from endpoint where hastening limit 100`);
}

/** The sealed secret of an endpoint, or null. */
export async function selectSecret(
  db: Queryable,
  workspaceId: string,
  endpointId: string,
): Promise<Buffer | null> {
  const rows = await db.query<{ sealed: Buffer }>(sql`select secret_sealed as sealed from endpoint
    where workspace_id = ${workspaceId} and id = ${endpointId}`);
  return rows[0]?.sealed ?? null;
}
