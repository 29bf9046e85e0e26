import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface KeptAnswer {
  readonly keyId: string;
  readonly key: string;
  readonly body: string;
}

/** Reads the workspace's answers of a day; they go after that. */
export function selectAnswers(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<KeptAnswer[]> {
  return tx.query<KeptAnswer>(sql`
    select api_key_id as "keyId", key, body from idempotency_key
    where workspace_id = ${workspaceId} and exists (
      select 1 from unnest(${ids}::text[]) as n (id) where position(n.id in body) > 0)
    order by api_key_id, key for update`);
}

/** Puts other bodies in place of kept answers, for an erasure; status and key stay. */
export async function rewriteAnswers(
  tx: Tx,
  workspaceId: string,
  rows: readonly KeptAnswer[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    update idempotency_key i set body = n.body
    from unnest(${rows.map((row) => row.keyId)}::uuid[], ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.body)}::text[]) as n (key_id, key, body)
    where i.workspace_id = ${workspaceId} and i.api_key_id = n.key_id and i.key = n.key`);
}
