import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { MOST_AHEAD_MS } from "../../lib/clock.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";

/** A file at the platform: every send whose header shows it names it. */
export interface HeaderRef {
  readonly ref: string;
  /** When it was uploaded there. */
  readonly at: Date;
}

/** A file that headers of a campaign show: its variants may have different ones. */
export interface HeaderKey extends BroadcastKey {
  readonly mediaId: string;
}

const itsRow = ({ workspaceId, id, mediaId }: HeaderKey) =>
  sql`workspace_id = ${workspaceId} and broadcast_id = ${id} and media_id = ${mediaId}`;

/** The platform's id of the file and the time of its upload; null before. */
export async function selectHeaderRef(db: Queryable, key: HeaderKey): Promise<HeaderRef | null> {
  const [row] = await db.query<HeaderRef>(sql`
    select ref, ref_at as at from broadcast_header where ${itsRow(key)} and ref is not null`);
  return row ?? null;
}

/** True: the caller uploads the file now. False: there is a valid one, or another worker uploads it. */
export async function claimHeader(
  db: Queryable,
  key: HeaderKey,
  times: { readonly now: Date; readonly oldest: Date; readonly leaseUntil: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    insert into broadcast_header as h (workspace_id, broadcast_id, media_id, lease_until)
    values (${key.workspaceId}, ${key.id}, ${key.mediaId}, ${times.leaseUntil})
    on conflict (workspace_id, broadcast_id, media_id) do update set lease_until = excluded.lease_until
      where (h.ref is null or h.ref_at <= ${times.oldest})
        and (h.lease_until is null or h.lease_until <= ${times.now}
          or h.lease_until > ${times.leaseUntil}::timestamptz + ${MOST_AHEAD_MS} * interval '1 ms') returning 1`);
  return rows.length > 0;
}

/** Stores the platform's id of the file, for all later sends. */
export async function writeHeaderRef(db: Queryable, key: HeaderKey, ref: HeaderRef): Promise<void> {
  await db.query(
    sql`update broadcast_header set ref = ${ref.ref}, ref_at = ${ref.at} where ${itsRow(key)}`,
  );
}

/** Lets others upload the file. Does nothing once the lease belongs to somebody else. */
export async function releaseHeader(db: Queryable, key: HeaderKey, lease: Date): Promise<void> {
  await db.query(sql`update broadcast_header set lease_until = null
    where ${itsRow(key)} and lease_until = ${lease}`);
}

/** The platform no longer has this file. One that was uploaded since stays. */
export async function clearHeaderRef(db: Queryable, key: BroadcastKey, ref: string): Promise<void> {
  await db.query(sql`update broadcast_header set ref = null, ref_at = null
    where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id} and ref = ${ref}`);
}
