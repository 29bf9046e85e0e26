import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Media } from "./media.ts";

interface Erasure {
  readonly workspaceId: string;
  readonly erasureId: string;
}

/**
 * Marks files as erased and sets when the sweep removes them: now, or at `fetchedBy` for a file that may still be being
 * fetched. Gives how many.
 */
export async function eraseOfMessages(
  tx: Tx,
  { workspaceId, erasureId }: Erasure,
  messageIds: readonly string[],
  { now, fetchedBy }: { readonly now: Date; readonly fetchedBy: Date },
): Promise<number> {
  const rows = await tx.query(sql`
    update media set state = 'failed', reason = 'gone', detail = null, file_name = null, source_sealed = null,
      available_at = null, erasure_id = ${erasureId}, delete_at = case when state = 'pending' and attempts > 0
        then ${fetchedBy}::timestamptz else ${now}::timestamptz end
    where workspace_id = ${workspaceId} and message_id = any(${messageIds}::uuid[]) and erasure_id is null returning 1`);
  return rows.length;
}

/** When the next file of an erasure is to be deleted; undefined once all are gone. */
export async function selectErased(
  db: Queryable,
  { workspaceId, erasureId }: Erasure,
): Promise<{ at: Date } | undefined> {
  const [row] = await db.query<{ at: Date }>(sql`
    select delete_at as at from media where workspace_id = ${workspaceId} and erasure_id = ${erasureId}
    order by delete_at limit 1`);
  return row;
}

/** The files of these messages. */
export function selectOfMessages(
  db: Queryable,
  workspaceId: string,
  messageIds: readonly string[],
): Promise<Media[]> {
  return db.query<Media>(sql`
    select m.workspace_id as "workspaceId", m.id, m.kind, m.state, m.reason, m.mime_type as "mimeType",
      m.file_name as "fileName", m.size, encode(m.sha256, 'hex') as sha256, m.message_id as "messageId",
      coalesce(m.bytes_id, m.id) as "bytesId", false as kept, m.created_at as "createdAt"
    from media m where m.workspace_id = ${workspaceId} and m.message_id = any(${messageIds}::uuid[])
    order by m.message_id, m.id`);
}
