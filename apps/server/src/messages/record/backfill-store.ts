import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** The last conversation that the backfill looked at. */
export interface BackfillPlace {
  readonly workspaceId: string;
  readonly id: string;
}

/** Locks and gives the place; null when the backfill is over, or when another process has it. */
export async function lockBackfill(tx: Tx): Promise<BackfillPlace | null> {
  const [row] =
    await tx.query<BackfillPlace>(sql`select at_workspace as "workspaceId", at_conversation as id
    from desk_backfill for update skip locked`);
  return row ?? null;
}

/** Notes that everything up to `to` was looked at. The place must be locked. */
export async function moveBackfill(tx: Tx, to: BackfillPlace): Promise<void> {
  await tx.query(
    sql`update desk_backfill set at_workspace = ${to.workspaceId}, at_conversation = ${to.id}`,
  );
}

/** Ends the backfill for good. The place must be locked. */
export async function dropBackfill(tx: Tx): Promise<void> {
  await tx.query(sql`delete from desk_backfill`);
}

interface LastSaid {
  readonly conversationId: string;
  readonly id: string;
  readonly direction: "inbound" | "outbound";
  readonly type: string;
  readonly text: string | null;
  readonly at: Date;
  readonly source: string;
  /** The actor's name, as it is stored. */
  readonly author: string | null;
}

/** The last message of each of these conversations. Conversations in which no customer wrote are left out. */
export function selectLastSaid(db: Queryable, keys: readonly BackfillPlace[]): Promise<LastSaid[]> {
  return db.query(sql`
    select k.id as "conversationId", m.id, m.direction, m.type, m.text, m.created_at as at, m.source, m.author
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]) k (workspace_id, id)
    cross join lateral (select * from message where workspace_id = k.workspace_id and conversation_id = k.id
      order by id desc limit 1) m
    where m.direction = 'inbound' or exists (select 1 from message i where i.workspace_id = k.workspace_id
      and i.conversation_id = k.id and i.direction = 'inbound')`);
}
