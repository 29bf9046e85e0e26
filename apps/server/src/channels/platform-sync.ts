import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import type { ChannelType } from "../wire/words.ts";
import { claimDueSyncs, dueNow, selectChannel, writeSync } from "./channel-store.ts";
import { SUBSCRIBED_TYPES } from "./registry.ts";

const HOUR = 3_600_000;
/** How long a claimed sync may take before another worker tries; also the gap after a failure. */
const RETRY_AFTER = 600_000;

/**
 * Claims up to `limit` channels that are due for a sync with their platform: just connected, an hour old, asked
 * for by a push, or after a failed setup. No other worker claims them for ten minutes.
 */
export function claimChannelsToSync(
  context: Pick<Context, "db" | "clock">,
  limit: number,
): Promise<{ workspaceId: string; id: string; type: ChannelType }[]> {
  const now = context.clock.now();
  const until = new Date(now.getTime() + RETRY_AFTER);
  return claimDueSyncs(context.db, now, until, limit, SUBSCRIBED_TYPES);
}

/**
 * Stores the result of a sync: the next is due in an hour, or in ten minutes with the reason shown on the channel.
 * A sync that was asked for after this one began (`begunAt`) stays due. `half`: the channel was set up but its
 * templates were not read yet. Success then neither moves the due time nor counts as a sync: a channel that was just
 * connected is due now, and its templates must not wait an hour. `first`: it never was synchronised. Then a failure moves
 * no due time either: a setup that could not be done says nothing about the list of templates.
 */
export function recordSync(
  context: Pick<Context, "clock">,
  db: Queryable,
  workspaceId: string,
  channelId: string,
  {
    begunAt,
    error,
    half = false,
    first = false,
  }: {
    readonly begunAt: Date;
    readonly error: string | null;
    readonly half?: boolean;
    readonly first?: boolean;
  },
): Promise<void> {
  const now = context.clock.now();
  const gap = error === null ? HOUR : RETRY_AFTER;
  return writeSync(db, workspaceId, channelId, {
    dueAt: half && (first || error === null) ? null : new Date(now.getTime() + gap),
    syncedAt: half || error !== null ? null : now,
    error,
    asked: { after: begunAt, until: now },
  });
}

/** Asks for a sync at the worker's next turn: a push named something unknown. */
export function requestSync(
  context: Pick<Context, "clock">,
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<void> {
  return dueNow(db, workspaceId, channelId, context.clock.now());
}

/** Locks the channel until the end of the transaction: syncs and pushes for one channel take turns. */
export async function lockForSync(tx: Tx, workspaceId: string, channelId: string): Promise<void> {
  await selectChannel(tx, workspaceId, channelId, "for update");
}
