import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { OtpRecord } from "./otp-record.ts";

/**
 * Takes number, gateway's words and gateway's id out of at most `limit` records of these numbers. Records whose call is
 * under way stay as they are. Gives how many.
 */
export async function blankRecords(
  tx: Tx,
  workspaceId: string,
  numbers: readonly { readonly phone: string; readonly erased: string }[],
  limit: number,
): Promise<number> {
  const rows = await tx.query(sql`
    update otp_record o set mobile = n.erased, error = null, provider_message_id = null, receipt_due_at = null
    from unnest(${numbers.map((one) => one.phone)}::text[], ${numbers.map((one) => one.erased)}::text[])
      as n (phone, erased)
    where o.workspace_id = ${workspaceId} and o.mobile = n.phone and o.id in (
      select id from otp_record where workspace_id = ${workspaceId}
        and mobile = any(${numbers.map((one) => one.phone)}::text[])
        and status <> 'calling' order by id limit ${limit} for update)
    returning 1`);
  return rows.length;
}

/** Records of these numbers with ids below `below`, newest first, at most `limit`. */
export function selectOfNumbers(
  db: Queryable,
  workspaceId: string,
  phones: readonly string[],
  below: string,
  limit: number,
): Promise<OtpRecord[]> {
  return db.query<OtpRecord>(sql`
    select o.* from unnest(${phones}::text[]) as p (phone) cross join lateral (
      select id, workspace_id as "workspaceId", provider_id as "providerId", provider, mobile, segments, status,
        error_code as "errorCode", error, provider_message_id as "providerMessageId", created_at as "createdAt",
        settled_at as "settledAt"
      from otp_record where workspace_id = ${workspaceId} and mobile = p.phone and id < ${below}
      order by id desc limit ${limit}) o
    order by o.id desc limit ${limit}`);
}

/** Whether a passcode to one of these numbers is being sent. */
export async function hasCalling(
  db: Queryable,
  workspaceId: string,
  phones: readonly string[],
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from otp_record
    where workspace_id = ${workspaceId} and mobile = any(${phones}::text[]) and status = 'calling' limit 1`);
  return rows.length > 0;
}
