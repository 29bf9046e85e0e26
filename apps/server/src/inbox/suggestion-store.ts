import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Suggestion } from "./suggestion.ts";

const COLUMNS = sql`id, conversation_id as "conversationId", author, author_name as "authorName", state, text, template,
  reason, sources, created_at as "createdAt", settled_at as "settledAt", settled_by as "settledBy", message_id as "messageId"`;

/** Stores a suggestion. */
export async function insertSuggestion(
  tx: Tx,
  workspaceId: string,
  one: Suggestion,
): Promise<void> {
  await tx.query(sql`
    insert into suggestion (workspace_id, id, conversation_id, author, author_name, state, text, template, reason, sources,
      created_at)
    values (${workspaceId}, ${one.id}, ${one.conversationId}, ${one.author}, ${one.authorName}, ${one.state}, ${one.text},
      ${one.template && JSON.stringify(one.template)}::jsonb, ${one.reason}, ${JSON.stringify(one.sources)}::jsonb,
      ${one.createdAt})`);
}

/** One suggestion; null: there is none. */
export async function selectSuggestion(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<Suggestion | null> {
  const [row] = await db.query<Suggestion>(sql`
    select ${COLUMNS} from suggestion where workspace_id = ${workspaceId} and id = ${id}`);
  return row ?? null;
}

/** The newest suggestion of an author in a conversation, in any state; null: there is none. */
export async function selectNewestSuggestion(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
  author: string,
): Promise<Suggestion | null> {
  const [row] = await db.query<Suggestion>(sql`
    select ${COLUMNS} from suggestion
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId} and author = ${author}
    order by id desc limit 1`);
  return row ?? null;
}

/** The open suggestions of a conversation, newest first, at most 20. */
export function selectOpen(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
): Promise<Suggestion[]> {
  return db.query<Suggestion>(sql`
    select ${COLUMNS} from suggestion
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId} and state = 'open'
    order by id desc limit 20`);
}

/** Every suggestion of a conversation, for the export of a person. */
export function selectSuggestionsOf(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
): Promise<Suggestion[]> {
  return db.query<Suggestion>(sql`
    select ${COLUMNS} from suggestion
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId} order by id`);
}

/** Ends an open suggestion and gives it; null: it is not open any more. */
export async function endSuggestion(
  tx: Tx,
  workspaceId: string,
  id: string,
  end: Pick<Suggestion, "state" | "settledAt" | "settledBy" | "messageId">,
): Promise<Suggestion | null> {
  const [row] = await tx.query<Suggestion>(sql`
    update suggestion set state = ${end.state}, settled_at = ${end.settledAt}, settled_by = ${end.settledBy},
      message_id = ${end.messageId}
    where workspace_id = ${workspaceId} and id = ${id} and state = 'open' returning ${COLUMNS}`);
  return row ?? null;
}

/**
 * Moves the suggestions of one conversation to another. Where the other has an open one by the same author, the moved one
 * is discarded. Gives those that were open before, as they are now.
 */
export function moveSuggestions(
  tx: Tx,
  workspaceId: string,
  fromId: string,
  intoId: string,
): Promise<Suggestion[]> {
  return tx.query<Suggestion>(sql`
    with moved as (update suggestion s set conversation_id = ${intoId},
      state = case when k.author is null then s.state else 'discarded' end,
      settled_at = case when k.author is null then s.settled_at else k.created_at end,
      settled_by = case when k.author is null then s.settled_by else 'system' end
    from suggestion o left join suggestion k on k.workspace_id = o.workspace_id and k.conversation_id = ${intoId}
      and k.author = o.author and k.state = 'open' and o.state = 'open'
    where o.workspace_id = ${workspaceId} and o.conversation_id = ${fromId}
      and s.workspace_id = o.workspace_id and s.id = o.id
    returning s.*, o.state as before)
    select ${COLUMNS} from moved where before = 'open'`);
}

/** Deletes up to a thousand suggestions that were settled before a time. Gives how many. */
export async function deleteSettledBefore(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(sql`
    delete from suggestion where ctid = any(array(
      select ctid from suggestion where state <> 'open' and settled_at <= ${before} limit 1000))
      and state <> 'open' and settled_at <= ${before}
    returning id`);
  return rows.length;
}

/** Deletes suggestions of the workspace that were used or discarded and have an id below this one. Gives how many. */
export async function deleteSettledOf(
  tx: Tx,
  workspaceId: string,
  below: string,
  limit: number,
): Promise<number> {
  const rows = await tx.query(sql`
    delete from suggestion where workspace_id = ${workspaceId} and id = any(array(
      select id from suggestion where workspace_id = ${workspaceId} and id < ${below} and state <> 'open'
      order by id limit ${limit})) and state <> 'open' returning 1`);
  return rows.length;
}
