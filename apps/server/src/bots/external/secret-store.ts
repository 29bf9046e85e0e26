import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** Stores what signs the calls to a bot's address. It replaces the one before. */
export async function putSecret(
  tx: Tx,
  workspaceId: string,
  botId: string,
  sealed: Buffer,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    insert into bot_secret (workspace_id, bot_id, sealed, made_at)
    values (${workspaceId}, ${botId}, ${sealed}, ${now})
    on conflict (workspace_id, bot_id) do update set sealed = excluded.sealed, made_at = excluded.made_at`);
}

/** The sealed secret of a bot; null: none was made. */
export async function selectBotSecret(
  db: Queryable,
  workspaceId: string,
  botId: string,
): Promise<Buffer | null> {
  const [row] = await db.query<{ sealed: Buffer }>(sql`
    select sealed from bot_secret where workspace_id = ${workspaceId} and bot_id = ${botId}`);
  return row?.sealed ?? null;
}
