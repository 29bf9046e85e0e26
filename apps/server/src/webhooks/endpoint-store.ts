import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EventKind } from "./event.ts";

const COLUMNS = sql`id, workspace_id as "workspaceId", url, events, consecutive_failures as "consecutiveFailures",
  disabled_at as "disabledAt", disabled_reason as "disabledReason", old_secret_until as "oldSecretUntil",
  created_at as "createdAt"`;

export async function insertEndpoint(
  db: Queryable,
  row: {
    readonly workspaceId: string;
    readonly id: string;
    readonly url: string;
    readonly events: readonly EventKind[];
    readonly secretSealed: Buffer;
    readonly at: Date;
  },
): Promise<Endpoint | undefined> {
  const [endpoint] = await db.query<Endpoint>(sql`
    insert into endpoint (workspace_id, id, url, events, secret_sealed, created_at)
    select w.id, ${row.id}, ${row.url}, ${row.events}::text[], ${row.secretSealed}, ${row.at}
    from workspace w where w.id = ${row.workspaceId} returning ${COLUMNS}`);
  return endpoint;
}

export function selectEndpoints(db: Queryable, workspaceId: string): Promise<Endpoint[]> {
  return db.query<Endpoint>(
    sql`select ${COLUMNS} from endpoint where workspace_id = ${workspaceId} order by id`,
  );
}

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

/** For the command line, which names the endpoint alone: the workspace that has it. */
export async function selectWorkspaceOfEndpoint(
  db: Queryable,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ workspaceId: string }>(
    sql`select workspace_id as "workspaceId" from endpoint where id = ${id}`,
  );
  return row?.workspaceId;
}

/** Null leaves a column as it is. */
export async function updateEndpointRow(
  db: Queryable,
  workspaceId: string,
  id: string,
  change: { readonly url: string | null; readonly events: readonly EventKind[] | null },
): Promise<Endpoint | undefined> {
  const [endpoint] = await db.query<Endpoint>(sql`
    update endpoint set url = coalesce(${change.url}::text, url), events = coalesce(${change.events}::text[], events)
    where workspace_id = ${workspaceId} and id = ${id} returning ${COLUMNS}`);
  return endpoint;
}

/** The present secret becomes the old one, good until `until`. */
export async function replaceSecret(
  db: Queryable,
  workspaceId: string,
  id: string,
  secretSealed: Buffer,
  until: Date,
): Promise<Endpoint | undefined> {
  const [endpoint] = await db.query<Endpoint>(sql`
    update endpoint set secret_sealed = ${secretSealed}, old_secret_sealed = secret_sealed, old_secret_until = ${until}
    where workspace_id = ${workspaceId} and id = ${id} returning ${COLUMNS}`);
  return endpoint;
}

/**
 * Locks endpoints, in one order. Whoever moves an endpoint and its deliveries locks the endpoint first, as disabling
 * must: the other way round two senders wait for each other.
 */
export async function lockEndpoints(
  tx: Tx,
  keys: readonly { readonly workspaceId: string; readonly endpointId: string }[],
): Promise<void> {
  await tx.query(sql`
    select from endpoint e
    join (select distinct * from unnest(${keys.map((key) => key.workspaceId)}::uuid[],
      ${keys.map((key) => key.endpointId)}::uuid[]) as k (workspace_id, id)) k using (workspace_id, id)
    order by e.workspace_id, e.id for no key update of e`);
}

/** Disables and holds what waits. Undefined when there is no such endpoint or it is disabled already. */
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
  if (endpoint) {
    await tx.query(sql`update delivery set state = 'held'
      where workspace_id = ${workspaceId} and endpoint_id = ${id} and state = 'pending'`);
  }
  return endpoint;
}

/** Enables with a clean count and lets what was held go, each in a new round of the retry schedule. */
export async function markEnabled(
  tx: Tx,
  workspaceId: string,
  id: string,
  at: Date,
): Promise<Endpoint | undefined> {
  const [endpoint] = await tx.query<Endpoint>(sql`
    update endpoint set disabled_at = null, disabled_reason = null, consecutive_failures = 0
    where workspace_id = ${workspaceId} and id = ${id} returning ${COLUMNS}`);
  if (endpoint) {
    await tx.query(sql`update delivery set state = 'pending', next_attempt_at = ${at}, round_failures = 0
      where workspace_id = ${workspaceId} and endpoint_id = ${id} and state = 'held'`);
  }
  return endpoint;
}
