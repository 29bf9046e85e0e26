import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** A person who gave the password but not yet the code. */
export interface SignInStep {
  readonly workspaceId: string;
  readonly memberId: string;
}

export async function insertStep(
  tx: Tx,
  one: SignInStep & { readonly tokenHash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await tx.query(sql`insert into sign_in_step (token_hash, workspace_id, member_id, expires_at)
    values (${one.tokenHash}, ${one.workspaceId}, ${one.memberId}, ${one.expiresAt})`);
}

/** The member of a secret; null: unknown, used or expired. */
export async function selectStep(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<SignInStep | null> {
  const [row] = await db.query<SignInStep>(sql`
    select workspace_id as "workspaceId", member_id as "memberId" from sign_in_step
    where token_hash = ${tokenHash} and expires_at > ${now}::timestamptz`);
  return row ?? null;
}

/**
 * Counts a code as wrong before it is looked at, and returns how many were. The step stays locked until the transaction
 * ends, so that codes are tried one after another. Null: there is no step any more.
 */
export async function countStepTry(tx: Tx, tokenHash: Buffer): Promise<number | null> {
  const [row] = await tx.query<{ wrong: number }>(
    sql`update sign_in_step set wrong = wrong + 1 where token_hash = ${tokenHash} returning wrong`,
  );
  return row?.wrong ?? null;
}

/** Uses up a step. */
export async function deleteStep(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query(sql`delete from sign_in_step where token_hash = ${tokenHash}`);
}

/** Deletes expired steps. Gives how many. */
export async function deleteStepsEnded(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from sign_in_step where token_hash in (
      select token_hash from sign_in_step where expires_at <= ${now}::timestamptz
      order by expires_at limit ${limit})
    returning 1`);
  return rows.length;
}
