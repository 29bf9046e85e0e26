import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Draft, DraftKey } from "./draft.ts";

/** Stores a member's draft, replacing the former one. */
export async function putDraft(
  db: Queryable,
  key: DraftKey,
  draft: Draft,
  at: Date,
): Promise<void> {
  await db.query(sql`
    insert into draft (workspace_id, member_id, conversation_id, mode, text, media, updated_at)
    values (${key.workspaceId}, ${key.memberId}, ${key.conversationId}, ${draft.mode}, ${draft.text},
      ${draft.media}::uuid[], ${at})
    on conflict (workspace_id, member_id, conversation_id) do update set
      mode = excluded.mode, text = excluded.text, media = excluded.media, updated_at = excluded.updated_at`);
}

/** Drops a member's draft. */
export async function dropDraft(db: Queryable, key: DraftKey): Promise<void> {
  await db.query(sql`
    delete from draft where workspace_id = ${key.workspaceId} and member_id = ${key.memberId}
      and conversation_id = ${key.conversationId}`);
}

/** A member's drafts in these conversations. */
export function selectDrafts(
  db: Queryable,
  workspaceId: string,
  memberId: string,
  conversationIds: readonly string[],
): Promise<(Draft & { readonly conversationId: string })[]> {
  return db.query(sql`
    select conversation_id as "conversationId", mode, text, media from draft
    where workspace_id = ${workspaceId} and member_id = ${memberId} and conversation_id = any(${conversationIds}::uuid[])`);
}

/** Members' drafts in a conversation, one each. */
export function selectDraftsOf(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
): Promise<(Draft & { readonly memberId: string; readonly updatedAt: Date })[]> {
  return db.query(sql`
    select member_id as "memberId", mode, text, media, updated_at as "updatedAt" from draft
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId} order by member_id`);
}

/** Moves the drafts of one conversation to another, for members without a draft there. */
export async function moveDrafts(
  tx: Tx,
  workspaceId: string,
  fromId: string,
  intoId: string,
): Promise<void> {
  await tx.query(sql`
    update draft d set conversation_id = ${intoId}
    where d.workspace_id = ${workspaceId} and d.conversation_id = ${fromId} and not exists (
      select 1 from draft k where k.workspace_id = d.workspace_id and k.member_id = d.member_id
        and k.conversation_id = ${intoId})`);
}
