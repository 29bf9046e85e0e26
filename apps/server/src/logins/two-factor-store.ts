import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/**
 * Switches two-factor on and stores the step of its first code, or off with null. Recovery codes are deleted in
 * both cases.
 */
export async function writeTotp(
  tx: Tx,
  loginId: string,
  totp: { readonly sealed: Buffer; readonly step: number } | null,
): Promise<void> {
  await tx.query(sql`update login set totp_sealed = ${totp?.sealed ?? null}, totp_step = ${totp?.step ?? null}
    where id = ${loginId}`);
  await tx.query(sql`delete from recovery_code where login_id = ${loginId}`);
}

/** Marks the code of a step as used. False: it, or a later one, was used before. */
export async function useTotpStep(tx: Tx, loginId: string, step: number): Promise<boolean> {
  const rows = await tx.query(sql`update login set totp_step = ${step}
    where id = ${loginId} and totp_step < ${step} returning 1`);
  return rows.length > 0;
}

/** Stores the hashes of new recovery codes in place of the old ones. */
export async function replaceRecoveryCodes(
  tx: Tx,
  loginId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query(sql`delete from recovery_code where login_id = ${loginId}`);
  await tx.query(sql`insert into recovery_code (login_id, hash)
    select ${loginId}, hash from unnest(${hashes}::bytea[]) as u (hash)`);
}

/** Marks a recovery code as used. False: there is none with one of these hashes. */
export async function deleteRecoveryCode(
  tx: Tx,
  loginId: string,
  hashes: readonly Buffer[],
): Promise<boolean> {
  const rows = await tx.query(
    sql`delete from recovery_code where login_id = ${loginId} and hash = any(${hashes}::bytea[]) returning 1`,
  );
  return rows.length > 0;
}

/** How many recovery codes are left. */
export async function countRecoveryCodes(db: Queryable, loginId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) as count from recovery_code where login_id = ${loginId}`,
  );
  return row?.count ?? 0;
}

/** The logins among these that have two-factor on. */
export async function selectWithTwoFactor(
  db: Queryable,
  loginIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select id from login where id = any(${loginIds}::uuid[]) and totp_sealed is not null`,
  );
  return rows.map(({ id }) => id);
}
