import type { KeptKey, KeyState } from "../lib/seal.ts";
import type { Queryable, Tx } from "./database.ts";
import { sql } from "./sql.ts";

/** What the database says of its master key, with the times of its rotation. */
export interface MasterKeyRow extends KeyState {
  readonly leaked: boolean;
  readonly begunAt: Date | null;
  readonly previousMark: string | null;
  readonly rotatedAt: Date | null;
}

/** Null: no process has stored the mark of its key yet. */
export async function selectMasterKey(db: Queryable): Promise<MasterKeyRow | null> {
  const [row] = await db.query<Omit<MasterKeyRow, "kept" | "rotated"> & { kept: KeptRow[] }>(sql`
    select k.step, k.mark, k.phase, k.next_mark as "nextMark", k.next_wrapped as "nextWrapped", k.leaked,
      k.begun_at as "begunAt", k.previous_mark as "previousMark", k.rotated_at as "rotatedAt",
      coalesce((select json_agg(json_build_object('under', under, 'mark', mark, 'purpose', purpose,
        'position', position, 'wrapped', encode(wrapped, 'hex'), 'until', extract(epoch from until) * 1000)
        order by position, purpose) from kept_key), '[]') as kept
    from master_key k`);
  if (!row) return null;
  // A restored backup has kept keys, and nothing else of the rotations before it.
  return {
    ...row,
    rotated: row.rotatedAt !== null || row.kept.length > 0,
    kept: row.kept.map(readKept),
  };
}

interface KeptRow extends Omit<KeptKey, "wrapped" | "until"> {
  readonly wrapped: string;
  readonly until: number | null;
}

const readKept = ({ wrapped, until, ...one }: KeptRow): KeptKey => ({
  ...one,
  wrapped: Buffer.from(wrapped, "hex"),
  until: until === null ? null : new Date(until),
});

/** Stores the mark of the first key, or of another one while no workspace has sealed anything and no rotation runs. */
export async function insertFirstKey(db: Queryable, mark: string): Promise<void> {
  await db.query(sql`
    insert into master_key as k (mark) values (${mark})
    on conflict (only_one) do update set mark = excluded.mark
    where k.phase is null and not exists (select from workspace)`);
}

/** The step alone: asked once a second. `knows`: what this process followed before, stored for the rotation to see. */
export async function exchangeStep(
  db: Queryable,
  processId: string,
  knows: number | null,
): Promise<number | null> {
  const [row] = await db.query<{ step: number }>(sql`
    with mine as (update process set key_step = ${knows}::integer
      where id = ${processId} and key_step is distinct from ${knows}::integer)
    select step from master_key`);
  return row?.step ?? null;
}

/** Locks the master key's row, so that one rotation moves at a time. */
export async function lockMasterKey(tx: Tx): Promise<void> {
  await tx.query(sql`select 1 from master_key for update`);
}

export async function insertKept(tx: Tx, kept: readonly KeptKey[]): Promise<void> {
  await tx.query(sql`
    insert into kept_key (under, mark, purpose, position, wrapped, until)
    select * from unnest(${kept.map((one) => one.under)}::text[], ${kept.map((one) => one.mark)}::text[],
      ${kept.map((one) => one.purpose)}::text[], ${kept.map((one) => one.position)}::integer[],
      ${kept.map((one) => one.wrapped)}::bytea[], ${kept.map((one) => one.until)}::timestamptz[])`);
}

/** Begins a rotation: from now on every process learns the next key. */
export async function updateAnnounced(
  tx: Tx,
  next: { readonly mark: string; readonly wrapped: Buffer | null; readonly leaked: boolean },
): Promise<void> {
  await tx.query(sql`
    update master_key set step = step + 1, phase = 'announced', next_mark = ${next.mark},
      next_wrapped = ${next.wrapped}, leaked = ${next.leaked}, begun_at = clock_timestamp()`);
}

/** From now on every process seals with the next key. */
export async function updateSealing(tx: Tx): Promise<void> {
  await tx.query(
    sql`update master_key set step = step + 1, phase = 'sealing' where phase = 'announced'`,
  );
}

/** Ends a rotation. `kept`: what stays of the keys under the next one, with its end; the others are deleted. */
export async function updateEnded(
  tx: Tx,
  kept: readonly Pick<KeptKey, "mark" | "purpose" | "until">[],
): Promise<void> {
  await tx.query(sql`delete from kept_key k using master_key m where k.under <> m.next_mark
    or not exists (select from unnest(${kept.map((one) => one.mark)}::text[], ${kept.map((one) => one.purpose)}::text[])
      as n (mark, purpose) where n.mark = k.mark and n.purpose = k.purpose)`);
  await tx.query(sql`update kept_key k set until = n.until
    from unnest(${kept.map((one) => one.mark)}::text[], ${kept.map((one) => one.purpose)}::text[],
      ${kept.map((one) => one.until)}::timestamptz[]) as n (mark, purpose, until)
    where n.mark = k.mark and n.purpose = k.purpose`);
  await tx.query(sql`
    update master_key set step = step + 1, previous_mark = mark, mark = next_mark, phase = null, next_mark = null,
      next_wrapped = null, leaked = false, begun_at = null, rotated_at = clock_timestamp()
    where phase = 'sealing'`);
}

/** A process that has not followed a step yet. */
export interface Lagging {
  readonly role: string | null;
  readonly machine: string | null;
  readonly address: string | null;
}

/** Processes that live, also ones that only pause, and have not followed the step. A killed one does not count. */
export function selectLagging(db: Queryable, step: number): Promise<Lagging[]> {
  return db.query<Lagging>(sql`
    select role, machine, address from process
    where coalesce(key_step, -1) < ${step}
      and not (seen_at < clock_timestamp() - interval '2 s'
        and pg_try_advisory_xact_lock(hashtextextended('process ' || id, 0)))
    order by machine, address limit 20`);
}

/** A mark in time. Every transaction that writes now ends before `hasEnded` of it is true. */
export async function selectNow(db: Queryable): Promise<string> {
  const [row] = await db.query<{ id: string }>(sql`select pg_current_xact_id()::text as id`);
  return row?.id ?? "0";
}

/** Whether every transaction of this database that wrote at that mark has ended. */
export async function hasEnded(db: Queryable, mark: string): Promise<boolean> {
  const [row] = await db.query<{ ended: boolean }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot()) > ${mark}::xid8 as ended`,
  );
  return row?.ended ?? false;
}

/** Whether the time of a kept key has passed. */
export async function hasExpiredKept(db: Queryable): Promise<boolean> {
  const [row] = await db.query(
    sql`select 1 from kept_key where until <= clock_timestamp() limit 1`,
  );
  return row !== undefined;
}

export async function deleteExpiredKept(tx: Tx): Promise<number> {
  const rows = await tx.query(
    sql`delete from kept_key where until <= clock_timestamp() returning 1`,
  );
  if (rows.length > 0) await tx.query(sql`update master_key set step = step + 1`);
  return rows.length;
}
