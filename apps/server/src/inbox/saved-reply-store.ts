import type { Queryable, Tx } from "../db/database.ts";
import { nilId, sql } from "../db/sql.ts";
import type { SavedReply } from "./saved-reply.ts";

const COLUMNS = sql`id, member_id as "memberId", shortcut, title, text, media`;

/** Shared ones and the member's own, by shortcut. */
export function selectSavedReplies(
  db: Queryable,
  workspaceId: string,
  memberId: string,
): Promise<SavedReply[]> {
  return db.query<SavedReply>(sql`
    select ${COLUMNS} from saved_reply
    where workspace_id = ${workspaceId} and (member_id is null or member_id = ${memberId})
    order by shortcut, id`);
}

/** One saved reply, or null. */
export async function selectSavedReply(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<SavedReply | null> {
  const [row] = await db.query<SavedReply>(sql`
    select ${COLUMNS} from saved_reply where workspace_id = ${workspaceId} and id = ${id}`);
  return row ?? null;
}

/** One saved reply, locked until the transaction ends. */
export async function lockSavedReply(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<SavedReply | null> {
  const [row] = await tx.query<SavedReply>(sql`
    select ${COLUMNS} from saved_reply where workspace_id = ${workspaceId} and id = ${id} for update`);
  return row ?? null;
}

/** The one that the team shares under a shortcut, locked until the transaction ends. */
export async function lockSharedReply(
  tx: Tx,
  workspaceId: string,
  shortcut: string,
): Promise<SavedReply | null> {
  const [row] = await tx.query<SavedReply>(sql`
    select ${COLUMNS} from saved_reply
    where workspace_id = ${workspaceId} and coalesce(member_id, ${nilId}) = ${nilId} and shortcut = ${shortcut}
    for update`);
  return row ?? null;
}

/** Shared ones of these, by shortcut; they stay as they are until the transaction ends. */
export function lockTeamReplies(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<Pick<SavedReply, "id" | "title" | "text">[]> {
  return tx.query(sql`
    select id, title, text from saved_reply
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and member_id is null
    order by shortcut, id for share`);
}

/** How many of them a member has, or how many are shared (null). */
export async function countSavedReplies(
  tx: Tx,
  workspaceId: string,
  memberId: string | null,
): Promise<number> {
  const [row] = await tx.query<{ n: number }>(sql`
    select count(*)::int as n from saved_reply
    where workspace_id = ${workspaceId} and member_id is not distinct from ${memberId}::uuid`);
  return row?.n ?? 0;
}

/** The files of all saved replies of a member, or of the shared ones (null). */
export async function selectSavedFiles(
  tx: Tx,
  workspaceId: string,
  memberId: string | null,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select unnest(media) as id from saved_reply
    where workspace_id = ${workspaceId} and member_id is not distinct from ${memberId}::uuid`);
  return rows.map(({ id }) => id);
}

/** Stores one; false when the shortcut is taken. */
export async function insertSavedReply(
  tx: Tx,
  workspaceId: string,
  row: SavedReply,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into saved_reply (workspace_id, id, member_id, shortcut, title, text, media, created_at)
    values (${workspaceId}, ${row.id}, ${row.memberId}, ${row.shortcut}, ${row.title}, ${row.text},
      ${row.media}::uuid[], ${at})
    on conflict do nothing returning 1`);
  return rows.length > 0;
}

/** Writes a changed one; false when the shortcut is taken. */
export async function replaceSavedReply(
  tx: Tx,
  workspaceId: string,
  row: SavedReply,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update saved_reply s set shortcut = ${row.shortcut}, title = ${row.title}, text = ${row.text},
      media = ${row.media}::uuid[]
    where s.workspace_id = ${workspaceId} and s.id = ${row.id} and not exists (
      select 1 from saved_reply k where k.workspace_id = s.workspace_id and k.id <> s.id
        and coalesce(k.member_id, ${nilId}) = coalesce(s.member_id, ${nilId}) and k.shortcut = ${row.shortcut})
    returning 1`);
  return rows.length > 0;
}

/** Deletes one. */
export async function dropSavedReply(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.query(sql`delete from saved_reply where workspace_id = ${workspaceId} and id = ${id}`);
}
