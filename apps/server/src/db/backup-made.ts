import type { Db, Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** Stores that a backup was made. The last one counts. */
export async function storeBackupMade(
  db: Queryable,
  made: { readonly at: Date; readonly rows: number; readonly files: number },
): Promise<void> {
  await db.query(sql`
    insert into backup_made (at, rows, files) values (${made.at}, ${made.rows}, ${made.files})
    on conflict (only_one) do update set at = excluded.at, rows = excluded.rows, files = excluded.files`);
}

/** When the last backup of this database was made with `parley backup`; null: none was. */
export async function selectBackupMade(
  db: Pick<Db, "slowQuery">,
  timeoutMs: number,
): Promise<Date | null> {
  const [row] = await db.slowQuery<{ at: Date }>(sql`select at from backup_made`, timeoutMs);
  return row?.at ?? null;
}
