import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

export interface ConsentWord {
  /** In the spelling in which messages are compared. */
  readonly word: string;
  readonly wish: "stop" | "start";
  /** As it was typed. */
  readonly shown: string;
}

/** The own words of these workspaces, read along the key, at most a hundred each. */
export function selectConsentWords(
  db: Queryable,
  workspaceIds: readonly string[],
): Promise<(ConsentWord & { readonly workspaceId: string })[]> {
  return db.query(sql`
    select workspace_id as "workspaceId", word, wish, shown from consent_word
    where workspace_id = any(${workspaceIds}::uuid[]) order by workspace_id, word`);
}

/**
 * Stores a word unless the workspace has its full number of words. Gives whether it is stored. A word that is
 * there already changes its meaning.
 */
export async function upsertConsentWord(
  tx: Tx,
  workspaceId: string,
  { word, wish, shown }: ConsentWord,
  most: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into consent_word (workspace_id, word, wish, shown)
    select ${workspaceId}, ${word}, ${wish}, ${shown}
    where (select count(*) from consent_word where workspace_id = ${workspaceId} and word <> ${word}) < ${most}
    on conflict (workspace_id, word) do update set wish = excluded.wish, shown = excluded.shown
    returning word`);
  return rows.length > 0;
}

/** Gives whether the word was there. */
export async function dropConsentWord(tx: Tx, workspaceId: string, word: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from consent_word where workspace_id = ${workspaceId} and word = ${word} returning word`);
  return rows.length > 0;
}
