import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { BroadcastKey } from "./broadcast-store.ts";

interface Ref {
  readonly ref: string;
  readonly at: Date;
}

export async function selectHeaderRef(db: Queryable, key: BroadcastKey): Promise<Ref | null> {
  const [row] = await db.query<Ref>(sql`
    select header_ref as ref, header_ref_at as at from broadcast
    where workspace_id = ${key.workspaceId} and id = ${key.id} and header_ref is not null`);
  return row ?? null;
}

/** True: the caller gives the file now. False: there is one that is good, or another gives it. */
export async function claimHeader(
  db: Queryable,
  key: BroadcastKey,
  times: { readonly now: Date; readonly oldest: Date; readonly leaseUntil: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    update broadcast set header_lease_until = ${times.leaseUntil}
    where workspace_id = ${key.workspaceId} and id = ${key.id}
      and (header_ref is null or header_ref_at <= ${times.oldest})
      and (header_lease_until is null or header_lease_until <= ${times.now}) returning 1`);
  return rows.length > 0;
}

export async function writeHeaderRef(db: Queryable, key: BroadcastKey, ref: Ref): Promise<void> {
  await db.query(sql`update broadcast set header_ref = ${ref.ref}, header_ref_at = ${ref.at}
    where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

export async function releaseHeader(db: Queryable, key: BroadcastKey, lease: Date): Promise<void> {
  await db.query(sql`update broadcast set header_lease_until = null
    where workspace_id = ${key.workspaceId} and id = ${key.id} and header_lease_until = ${lease}`);
}

/** The platform has this file no more; one that was given since stays. */
export async function forgetHeader(db: Queryable, key: BroadcastKey, ref: string): Promise<void> {
  await db.query(sql`update broadcast set header_ref = null, header_ref_at = null
    where workspace_id = ${key.workspaceId} and id = ${key.id} and header_ref = ${ref}`);
}
