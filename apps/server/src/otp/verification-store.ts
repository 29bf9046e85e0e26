import type { Queryable, Tx } from "../db/database.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import { sql } from "../db/sql.ts";
import type { Verification } from "./verification.ts";

const COLUMNS = sql`id, workspace_id as "workspaceId", request_id as "requestId", mobile, channel, purpose, status,
  code_mac as "codeMac", code_length as "codeLength", tries, error_code as "errorCode", author, created_at as "createdAt",
  expires_at as "expiresAt", ended_at as "endedAt"`;

/** A code that a number got, or would have got: `refused` by the gateway or WhatsApp. */
export interface PastCode {
  readonly at: Date;
  readonly refused: boolean;
}

/**
 * The number's last codes since a time, newest first, at most `limit`. No other transaction sends it one before
 * this one ends.
 */
export async function lockVerified(
  tx: Tx,
  workspaceId: string,
  mobile: string,
  since: Date,
  limit: number,
): Promise<PastCode[]> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`verify ${workspaceId} ${mobile}`}, 0))`,
  );
  return tx.query<PastCode>(sql`
    select created_at as at, status = 'failed' as refused from otp_verification
    where workspace_id = ${workspaceId} and mobile = ${mobile} and created_at > ${since}
    order by created_at desc limit ${limit}`);
}

/** Stores a new verification. Those that are pending for the same number and purpose end as canceled. */
export async function replaceVerification(tx: Tx, one: Verification): Promise<void> {
  await tx.query(sql`
    update otp_verification set status = 'canceled', code_mac = null, ended_at = ${one.createdAt}
    where workspace_id = ${one.workspaceId} and mobile = ${one.mobile} and status = 'pending'
      and purpose is not distinct from ${one.purpose}`);
  await tx.query(sql`
    insert into otp_verification (workspace_id, id, request_id, mobile, channel, purpose, status, code_mac, code_length, author, created_at,
      expires_at)
    values (${one.workspaceId}, ${one.id}, ${one.requestId}, ${one.mobile}, ${one.channel}, ${one.purpose}, ${one.status},
      ${one.codeMac}, ${one.codeLength}, ${one.author}, ${one.createdAt}, ${one.expiresAt})`);
}

/** A verification of the workspace; undefined when there is none with that id. */
export async function selectVerification(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<Verification | undefined> {
  const [row] = await db.query<Verification>(
    sql`select ${COLUMNS} from otp_verification where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockVerification(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<Verification | undefined> {
  const [row] = await tx.query<Verification>(sql`
    select ${COLUMNS} from otp_verification where workspace_id = ${workspaceId} and id = ${id} for update`);
  return row;
}

/** Stores a locked verification. The hash of its code is deleted when it ends. */
export async function writeVerification(tx: Tx, one: Verification): Promise<void> {
  await tx.query(sql`
    update otp_verification set status = ${one.status}, tries = ${one.tries}, error_code = ${one.errorCode},
      ended_at = ${one.endedAt}, code_mac = ${one.codeMac}
    where workspace_id = ${one.workspaceId} and id = ${one.id}`);
}

/** Deletes at most `limit` verifications of these numbers. Gives how many. */
export async function deleteOfNumbers(
  tx: Tx,
  workspaceId: string,
  phones: readonly string[],
  limit: number,
): Promise<number> {
  const rows = await tx.query(sql`
    delete from otp_verification where workspace_id = ${workspaceId} and id in (
      select id from otp_verification where workspace_id = ${workspaceId} and mobile = any(${phones}::text[])
      order by id limit ${limit} for update)
    returning 1`);
  return rows.length;
}

/** Deletes up to `limit` verifications from before a time. Gives how many. */
export function deleteOldVerifications(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  return deleteOldRows(db, sql`otp_verification`, { before, where: sql`true`, limit });
}
