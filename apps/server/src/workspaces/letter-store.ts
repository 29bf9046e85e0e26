import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface DueLetter {
  readonly id: string;
  readonly sealed: Buffer;
  /** Counting this attempt. */
  readonly attempts: number;
}

/** Stores a sealed letter that is due at `dueAt`. */
export async function insertLetter(
  tx: Tx,
  one: {
    readonly id: string;
    readonly sealed: Buffer;
    readonly author: string;
    readonly dueAt: Date;
  },
): Promise<void> {
  await tx.query(sql`insert into letter (id, sealed, author, due_at)
    values (${one.id}, ${one.sealed}, ${one.author}, ${one.dueAt})`);
}

/** Takes due letters. Each is due again at `retryAt` unless it is deleted. */
export function claimLetters(
  db: Queryable,
  now: Date,
  retryAt: Date,
  limit: number,
): Promise<DueLetter[]> {
  return db.query<DueLetter>(sql`
    with due as (select id from letter where due_at <= ${now}::timestamptz
      order by due_at limit ${limit} for update skip locked)
    update letter l set due_at = ${retryAt}, attempts = l.attempts + 1
    from due where l.id = due.id returning l.id, l.sealed, l.attempts`);
}

/** Makes a letter due at `dueAt`, after a failed try. */
export async function postponeLetter(db: Queryable, id: string, dueAt: Date): Promise<void> {
  await db.query(sql`update letter set due_at = ${dueAt} where id = ${id}`);
}

/** Deletes a letter that was sent or given up. */
export async function deleteLetter(db: Queryable, id: string): Promise<void> {
  await db.query(sql`delete from letter where id = ${id}`);
}

/** Deletes all letters. */
export async function deleteLetters(db: Queryable): Promise<void> {
  await db.query(sql`delete from letter`);
}
