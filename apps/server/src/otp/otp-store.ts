import type { Queryable, Tx } from "../db/database.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import { sql } from "../db/sql.ts";
import { MAX_ID, isId } from "../lib/ids.ts";
import type { ToldOtpStatus } from "../wire/words.ts";
import { LOST_CALL, type OtpRecord, type ToldOtpRecord } from "./otp-record.ts";

const COLUMNS = sql`id, workspace_id as "workspaceId", author, provider_id as "providerId", provider, mobile, segments, status,
  error_code as "errorCode", error, provider_message_id as "providerMessageId", created_at as "createdAt",
  settled_at as "settledAt"`;

/** Stores the record of a send, never its text. */
export async function insertRecord(tx: Tx, record: OtpRecord): Promise<void> {
  await tx.query(sql`
    insert into otp_record (workspace_id, id, provider_id, provider, mobile, segments, status, error_code, error,
      created_at, settled_at, author)
    values (${record.workspaceId}, ${record.id}, ${record.providerId}, ${record.provider}, ${record.mobile},
      ${record.segments}, ${record.status}, ${record.errorCode}, ${record.error}, ${record.createdAt},
      ${record.settledAt}, ${record.author})`);
}

/** A record of the workspace; undefined when there is none with that id. */
export async function selectRecord(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<OtpRecord | undefined> {
  const [record] = await db.query<OtpRecord>(
    sql`select ${COLUMNS} from otp_record where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return record;
}

/** Records with ids below `below` (null: all), newest first, at most `limit`. */
export function selectRecords(
  db: Queryable,
  workspaceId: string,
  below: string | null,
  limit: number,
): Promise<OtpRecord[]> {
  return db.query<OtpRecord>(sql`select ${COLUMNS} from otp_record
    where workspace_id = ${workspaceId} and id < ${below ?? MAX_ID}::uuid
    order by id desc limit ${limit}::int`);
}

/**
 * Finds the record of a receipt by our id, or else by the gateway's id, and locks it. A gateway that restarts its
 * numbering gives the same ids again, so of several records the last one counts.
 */
export async function lockRecord(
  tx: Tx,
  workspaceId: string,
  key: { readonly id: string | null; readonly providerMessageId: string | null },
): Promise<OtpRecord | undefined> {
  const [record] = await tx.query<OtpRecord>(sql`
    select ${COLUMNS} from otp_record where workspace_id = ${workspaceId}
      and (id = ${key.id}::uuid or provider_message_id = ${key.providerMessageId}::text)
    order by id is not distinct from ${key.id}::uuid desc, id desc limit 1 for update`);
  return record;
}

/**
 * Lets a gateway's id be looked up or stored by one transaction at a time, until that one ends. So a receipt either finds
 * the record that has its id, or waits where the record finds it.
 */
export async function lockGatewayId(
  tx: Tx,
  workspaceId: string,
  providerMessageId: string,
): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`sms ${workspaceId} ${providerMessageId}`}, 0))`,
  );
}

/** Which of these ids are records, each of the provider account beside it. */
export async function findRecordIds(
  tx: Tx,
  keys: readonly {
    readonly workspaceId: string;
    readonly providerId: string;
    readonly id: string;
  }[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(sql`
    select o.id from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.providerId)}::uuid[],
      ${keys.map((key) => key.id)}::uuid[]) as k (workspace_id, provider_id, id)
    cross join lateral (select id from otp_record where workspace_id = k.workspace_id and id = k.id
      and provider_id = k.provider_id limit 1) o`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * The numbers of the records that these receipts are about (`lockRecord`), in the order of receipts. Null: the receipt
 * is about something else.
 */
export async function selectMobiles(
  db: Queryable,
  workspaceId: string,
  receipts: readonly {
    readonly correlationId: string | null;
    readonly externalMessageId: string;
  }[],
): Promise<(string | null)[]> {
  const rows = await db.query<{ mobile: string | null }>(sql`
    select (select o.mobile from otp_record o where o.workspace_id = ${workspaceId}
        and (o.id = r.id or o.provider_message_id = r.provider_id)
        order by o.id is not distinct from r.id desc, o.id desc limit 1) as mobile
    from unnest(${receipts.map(({ correlationId: id }) => (id !== null && isId(id) ? id : null))}::uuid[],
      ${receipts.map((one) => one.externalMessageId)}::text[]) with ordinality as r (id, provider_id, n)
    order by r.n`);
  return rows.map((row) => row.mobile);
}

/** Writes the outcome into a locked record, and gives the record. */
export async function updateRecord(
  tx: Tx,
  record: OtpRecord,
  change: {
    readonly status: ToldOtpStatus;
    readonly errorCode: string | null;
    readonly error: string | null;
    readonly providerMessageId: string | null;
    readonly settledAt: Date;
  },
): Promise<ToldOtpRecord> {
  const [updated] = await tx.query<ToldOtpRecord>(sql`
    update otp_record set status = ${change.status}, error_code = ${change.errorCode}, error = ${change.error},
      provider_message_id = coalesce(provider_message_id, ${change.providerMessageId}), settled_at = ${change.settledAt}
    where workspace_id = ${record.workspaceId} and id = ${record.id} returning ${COLUMNS}`);
  return updated ?? { ...record, ...change };
}

/** Marks up to `limit` calls as unknown that were begun before a time and never ended. */
export function markLost(tx: Tx, before: Date, at: Date, limit: number): Promise<ToldOtpRecord[]> {
  return tx.query<ToldOtpRecord>(sql`
    update otp_record set status = 'unknown', error_code = ${LOST_CALL.errorCode}, error = ${LOST_CALL.error},
      settled_at = ${at}
    where (workspace_id, id) in (
      select workspace_id, id from otp_record where status = 'calling' and created_at <= ${before}
      order by created_at limit ${limit}::int for update skip locked)
    returning ${COLUMNS}`);
}

/** A passcode whose receipt must be asked for now. */
export interface DueReceipt {
  readonly id: string;
  readonly providerId: string;
  readonly provider: string;
  readonly providerMessageId: string;
}

/** Plans to ask for the receipt of a record, from `at` on. */
export async function scheduleReceipt(
  tx: Tx,
  key: { readonly workspaceId: string; readonly id: string },
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update otp_record set receipt_due_at = ${at} where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

/**
 * Takes up to `limit` due receipts. Each waits as long again as its record is old, at least a minute; the last one
 * comes 25 hours after the send.
 */
export function claimReceipts(db: Queryable, now: Date, limit: number): Promise<DueReceipt[]> {
  return db.query<DueReceipt>(sql`
    update otp_record set receipt_due_at = case
        when status <> 'sent' or created_at < ${now}::timestamptz - interval '25 hours' then null
        else ${now}::timestamptz + greatest(interval '1 minute', ${now}::timestamptz - created_at) end
    where (workspace_id, id) in (
      select workspace_id, id from otp_record where receipt_due_at <= ${now}
      order by receipt_due_at limit ${limit}::int for update skip locked)
      and provider_message_id is not null
    returning id, provider_id as "providerId", provider, provider_message_id as "providerMessageId"`);
}

/** Gives every passcode that is being sent an unknown outcome. Gives how many. */
export async function haltPasscodes(tx: Tx, now: Date): Promise<number> {
  const rows = await tx.query(sql`update otp_record
    set status = 'unknown', settled_at = ${now}::timestamptz where status = 'calling' returning 1`);
  return rows.length;
}

/** Deletes up to `limit` records from before a time. Records whose call is under way stay. Gives how many. */
export function deleteOldRecords(db: Queryable, before: Date, limit: number): Promise<number> {
  return deleteOldRows(db, sql`otp_record`, { before, where: sql`o.status <> 'calling'`, limit });
}
