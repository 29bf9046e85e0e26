import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** A file counts as at least so many bytes: a million empty ones cost rows and blocks of the disk too. */
const LEAST_BYTES = 64 * 1024;

/** How a file of this size counts. */
export const leastCount = (size: number): number => Math.max(size, LEAST_BYTES);

/** The bytes of the workspace's uploads that nothing carries yet: of all, and of this author (null: visitors). */
export async function selectUnsent(
  db: Queryable,
  workspaceId: string,
  author: string | null,
): Promise<{ readonly workspace: number; readonly author: number }> {
  const [row] = await db.query<{ workspace: number; author: number }>(sql`
    select coalesce(sum(n), 0)::float8 as workspace,
      coalesce(sum(n) filter (where author is not distinct from ${author}::text), 0)::float8 as author
    from (
      select author, greatest(coalesce(size, 0), ${LEAST_BYTES}) as n from media
      where workspace_id = ${workspaceId} and direction = 'outbound' and message_id is null and delete_at is not null
        and bytes_id is null
    ) as unsent`);
  return row ?? { workspace: 0, author: 0 };
}

/** Locks the sums of a workspace until the transaction ends: two uploads at once must not both fit into the rest. */
export async function lockUnsent(tx: Tx, workspaceId: string): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`unsent:${workspaceId}`}, 0))`,
  );
}

/** The bytes of these files of the workspace. */
export async function selectBytesOf(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(sql`
    select coalesce(sum(size), 0)::float8 as bytes from media
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`);
  return row?.bytes ?? 0;
}
