import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import { MOST_AHEAD_MS } from "../lib/clock.ts";

/** A failed poll waits for minutes, seldom for longer when the platform asks: one call after an hour is no flood. */
const MAX_DUE_MS = 60 * 60_000;

/** A channel that this process reads until the lease ends. */
export interface PollLease {
  readonly workspaceId: string;
  readonly channelId: string;
  /** The position from which to go on reading. */
  readonly position: number;
  /** When the position last moved. */
  readonly movedAt: Date;
  readonly fence: number;
  /** Polls that failed in a row. */
  readonly failures: number;
}

/** Leases polled channels that are due and that nobody reads; a channel's row is created at its first claim. */
export function claimDuePolls(
  db: Queryable,
  options: {
    readonly now: Date;
    readonly leaseUntil: Date;
    /** The process that reads. */
    readonly by: string;
    readonly limit: number;
  },
): Promise<PollLease[]> {
  const { now, leaseUntil, by, limit } = options;
  const leaseMs = leaseUntil.getTime() - now.getTime();
  // Or the lease is so far ahead that a wrong clock must have written it.
  const reached = (at: Sql, longestMs: number): Sql => {
    const latest = new Date(now.getTime() + longestMs + MOST_AHEAD_MS);
    return sql`(${at} <= ${now}::timestamptz or ${at} > ${latest}::timestamptz)`;
  };
  return db.query(sql`
    insert into channel_poll as p (workspace_id, channel_id, moved_at, lease_until, held_by, due_at)
    select c.workspace_id, c.id, ${now}::timestamptz, ${leaseUntil}::timestamptz, ${by}::uuid, ${now}::timestamptz
    from channel c left join channel_poll k on k.workspace_id = c.workspace_id and k.channel_id = c.id
    where c.status = 'connected' and c.settings ->> 'polling' = 'true'
      and (k.channel_id is null or (${reached(sql`k.due_at`, MAX_DUE_MS)}
        and (k.lease_until is null or ${reached(sql`k.lease_until`, leaseMs)})))
    order by c.workspace_id, c.id limit ${limit}
    on conflict (workspace_id, channel_id) do update
      set fence = p.fence + 1, lease_until = excluded.lease_until, held_by = excluded.held_by
      where ${reached(sql`p.due_at`, MAX_DUE_MS)} and (p.lease_until is null or ${reached(sql`p.lease_until`, leaseMs)})
    returning p.workspace_id as "workspaceId", p.channel_id as "channelId", p.position, p.moved_at as "movedAt",
      p.fence, p.failures`);
}

/** Gives back the channels that this process read. Gives how many. */
export async function releasePollsOf(tx: Tx, processId: string): Promise<number> {
  const rows = await tx.query(sql`
    update channel_poll set lease_until = null, held_by = null
    where held_by = ${processId}::uuid and lease_until is not null returning 1`);
  return rows.length;
}

/** Why the last polls failed, when several failed in a row. Null otherwise, and for a channel that is not polled. */
export async function selectTrouble(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<string | null> {
  const rows = await db.query<{ error: string | null }>(
    sql`select p.error from channel_poll p
      join channel c on c.workspace_id = p.workspace_id and c.id = p.channel_id
      where p.workspace_id = ${workspaceId} and p.channel_id = ${channelId} and p.failures > 1
        and c.settings ->> 'polling' = 'true'`,
  );
  return rows[0]?.error ?? null;
}

/** Stores the result of a poll if the lease is still ours; false: it is not. */
export async function writePoll(
  db: Queryable,
  lease: PollLease,
  facts: {
    readonly leaseUntil: Date | null;
    readonly dueAt: Date;
    readonly failures: number;
    readonly error: string | null;
  },
): Promise<boolean> {
  const rows = await db.query(sql`
    update channel_poll set position = ${lease.position}, moved_at = ${lease.movedAt}, failures = ${facts.failures},
      error = ${facts.error}, lease_until = ${facts.leaseUntil}::timestamptz, due_at = ${facts.dueAt}::timestamptz
    where workspace_id = ${lease.workspaceId} and channel_id = ${lease.channelId} and fence = ${lease.fence}
    returning 1`);
  return rows.length > 0;
}
