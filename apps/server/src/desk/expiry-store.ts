import type { Tx } from "../db/database.ts";
import { nilId, sql } from "../db/sql.ts";

/** Those of these conversations whose last messages have ids below this one, and whose row shows a message, or a note. */
export async function selectOverPreviews(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  below: string,
  shown: "message" | "note",
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<{ id: string }>(sql`
    select d.conversation_id as id from unnest(${ids}::uuid[]) k (id)
    cross join lateral (select * from desk_conversation
      where workspace_id = ${workspaceId} and conversation_id = k.id limit 1) d
    where d.preview_kind <> 'expired' and (d.preview_side = 'note') = ${shown === "note"}::boolean
      and coalesce(d.last_inbound_id, ${nilId}) < ${below} and coalesce(d.last_outbound_id, ${nilId}) < ${below}`);
  return rows.map(({ id }) => id);
}
