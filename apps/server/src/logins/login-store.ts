import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { Reset } from "./password-reset.ts";

/** A person's credentials. */
export interface Login {
  readonly id: string;
  /** Trimmed and in lower case. */
  readonly email: string;
  /** In PHC form; null until a password is set. */
  readonly passwordHash: string | null;
  /** The secret of the person's codes, sealed; null: two-factor is off. */
  readonly totpSealed: Buffer | null;
}

const COLUMNS = sql`id, email, password_hash as "passwordHash", totp_sealed as "totpSealed"`;

export async function selectLogin(db: Queryable, email: string): Promise<Login | null> {
  const rows = await db.query<Login>(sql`select ${COLUMNS} from login where email = ${email}`);
  return rows[0] ?? null;
}

export async function selectLoginById(db: Queryable, id: string): Promise<Login | null> {
  const rows = await db.query<Login>(sql`select ${COLUMNS} from login where id = ${id}`);
  return rows[0] ?? null;
}

/** The login of an address, created when there is none; locked until the transaction ends. */
export async function lockOrInsertLogin(
  tx: Tx,
  login: { readonly id: string; readonly email: string; readonly createdAt: Date },
): Promise<Login> {
  await tx.query(sql`insert into login (id, email, created_at)
    values (${login.id}, ${login.email}, ${login.createdAt}) on conflict (email) do nothing`);
  const rows = await tx.query<Login>(
    sql`select ${COLUMNS} from login where email = ${login.email} for update`,
  );
  const [stored] = rows;
  // It was deleted between the two statements, with its last member.
  return stored ?? lockOrInsertLogin(tx, login);
}

/** Waits for others that are making the first login, then tells whether there is one. */
export async function lockFirstLogin(tx: Tx): Promise<boolean> {
  await tx.query(sql`lock table login in share row exclusive mode`);
  return hasLogin(tx);
}

/** Whether anybody can sign in. */
export async function hasLogin(db: Queryable): Promise<boolean> {
  const rows = await db.query(sql`select 1 from login limit 1`);
  return rows.length > 0;
}

export async function writePasswordHash(tx: Tx, id: string, hash: string): Promise<void> {
  await tx.query(sql`update login set password_hash = ${hash} where id = ${id}`);
}

/** Gives a login another address. False when another login has that address. */
export async function writeEmail(tx: Tx, id: string, email: string): Promise<boolean> {
  const rows = await tx.query(sql`update login set email = ${email}
    where id = ${id} and not exists (select 1 from login o where o.email = ${email} and o.id <> ${id})
    returning id`);
  return rows.length > 0;
}

/** A login is removed with its last member. */
export async function deleteLogin(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`delete from login where id = ${id}`);
}

/** Deletes the logins that are not among the `login_id`s of `used`; `used` goes after `from`. */
export async function deleteLoginsBut(db: Queryable, used: Sql): Promise<void> {
  await db.query(sql`delete from login l where not exists (
    select 1 from ${used} u where u.login_id = l.id)`);
}

/** Stores a reset in place of the login's older one. */
export async function replaceReset(
  tx: Tx,
  {
    tokenHash,
    loginId,
    maker,
    expiresAt,
  }: Reset & { readonly tokenHash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await tx.query(sql`insert into password_reset (token_hash, login_id, made_in, made_by, expires_at)
    values (${tokenHash}, ${loginId}, ${maker?.workspaceId ?? null}, ${maker?.memberId ?? null}, ${expiresAt})
    on conflict (login_id) do update
      set token_hash = excluded.token_hash, made_in = excluded.made_in, made_by = excluded.made_by,
        expires_at = excluded.expires_at`);
}

/** The address of the login of a reset that has not expired. */
export async function selectReset(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<string | null> {
  const rows = await db.query<{ email: string }>(sql`
    select l.email from password_reset r join login l on l.id = r.login_id
    where r.token_hash = ${tokenHash} and r.expires_at > ${now}::timestamptz`);
  return rows[0]?.email ?? null;
}

/** Deletes a reset and returns it; null: there is none, or it has expired. */
export async function deleteReset(tx: Tx, tokenHash: Buffer, now: Date): Promise<Reset | null> {
  const [row] = await tx.query<{
    loginId: string;
    workspaceId: string | null;
    memberId: string | null;
  }>(sql`delete from password_reset
    where token_hash = ${tokenHash} and expires_at > ${now}::timestamptz
    returning login_id as "loginId", made_in as "workspaceId", made_by as "memberId"`);
  if (!row) return null;
  const { loginId, workspaceId, memberId } = row;
  const byMember = workspaceId !== null && memberId !== null;
  return { loginId, maker: byMember ? { workspaceId, memberId } : null };
}

/** Deletes a login's reset. */
export async function deleteResetOf(tx: Tx, loginId: string): Promise<void> {
  await tx.query(sql`delete from password_reset where login_id = ${loginId}`);
}
