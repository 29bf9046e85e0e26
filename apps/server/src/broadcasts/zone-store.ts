import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { BroadcastKey } from "./broadcast-store.ts";

/**
 * When somebody of these zones is to be tried again: the next time of a recipient that waits for one; `busy`: calls are
 * in the air whose answers may put somebody back. Looked at when none can be taken now, so there are few to read.
 */
export async function selectNextTry(
  tx: Tx,
  key: BroadcastKey,
  zones: readonly string[],
): Promise<{ readonly next: Date | null; readonly busy: boolean }> {
  const [row] = await tx.query<{ next: Date | null; busy: boolean }>(sql`
    select (select min(r.available_at) from broadcast_recipient r where r.workspace_id = ${key.workspaceId}
        and r.broadcast_id = ${key.id} and r.status = 'pending' and r.zone = any (${zones}::text[])) as next,
      exists (select 1 from broadcast_recipient r where r.workspace_id = ${key.workspaceId}
        and r.broadcast_id = ${key.id} and r.status = 'sending') as busy`);
  return row ?? { next: null, busy: true };
}
