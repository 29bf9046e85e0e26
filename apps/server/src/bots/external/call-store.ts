import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { RunClaim } from "../thread/run-store.ts";
import type { SeenThread } from "../thread/who-answers.ts";

/** Stores what a turn was made of, before its call. It replaces the run's earlier one. */
export async function putCall(tx: Tx, claim: RunClaim, seen: SeenThread, now: Date): Promise<void> {
  await tx.query(sql`
    insert into bot_call (workspace_id, run_id, fence, thread_version, seen, called_at)
    values (${claim.workspaceId}, ${claim.id}, ${claim.fence}, ${seen.version}, ${[...seen.seen]}::uuid[], ${now})
    on conflict (workspace_id, run_id) do update set fence = excluded.fence,
      thread_version = excluded.thread_version, seen = excluded.seen, called_at = excluded.called_at`);
}

/** A turn whose call was committed. */
export interface BegunCall extends SeenThread {
  readonly botId: string;
  readonly conversationId: string;
  /** It waits for its answer, and no newer turn of the run was begun. */
  readonly waits: boolean;
  /** What the claimed turn was answered by its token; null: nothing, or a later turn was answered too. */
  readonly answeredMac: Buffer | null;
}

/** What the last turn of a run was made of, and whether it is the claimed one and waits; null: the run has none. */
export async function selectCall(db: Queryable, claim: RunClaim): Promise<BegunCall | null> {
  const [row] = await db.query<BegunCall>(sql`
    select c.thread_version::float8 as version, c.seen, r.bot_id as "botId", r.conversation_id as "conversationId",
      r.state = 'calling' and r.fence = c.fence and c.fence = ${claim.fence} as waits,
      case when c.answered_fence = ${claim.fence} then c.answered_mac end as "answeredMac"
    from bot_call c join bot_run r on r.workspace_id = c.workspace_id and r.id = c.run_id
    where c.workspace_id = ${claim.workspaceId} and c.run_id = ${claim.id}`);
  return row ?? null;
}

/** Remembers what a turn was answered by its token, over later turns of the run until one of those is. */
export async function putAnswered(db: Queryable, claim: RunClaim, mac: Buffer): Promise<void> {
  await db.query(sql`
    update bot_call set answered_fence = ${claim.fence}, answered_mac = ${mac}
    where workspace_id = ${claim.workspaceId} and run_id = ${claim.id}`);
}
