import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import type { ChannelType } from "../wire/words.ts";
import { claimDueSyncs, dueNow, selectChannel, writeSync } from "./channel-store.ts";
import { SUBSCRIBED_TYPES } from "./registry.ts";

const HOUR = 3_600_000;
/** How long a claimed sync may take before another worker tries; also the gap after a failure. */
const RETRY_AFTER = 600_000;

/**
 * Takes at most `limit` channels that are due to be brought in step with their platform: just connected, an hour old,
 * asked for by a push, or with a setup that failed. Keeps them from other workers for ten minutes.
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
 * Notes what a sync came to: again in an hour, or in ten minutes with the reason shown on the channel. One that was asked
 * for after this one began (`begunAt`) stays due.
 */
export function recordSync(
  context: Pick<Context, "clock">,
  db: Queryable,
  workspaceId: string,
  channelId: string,
  { begunAt, error }: { readonly begunAt: Date; readonly error: string | null },
): Promise<void> {
  const now = context.clock.now();
  return writeSync(db, workspaceId, channelId, {
    dueAt: new Date(now.getTime() + (error === null ? HOUR : RETRY_AFTER)),
    syncedAt: error === null ? now : null,
    error,
    asked: { after: begunAt, until: now },
  });
}

/** Asks for a sync at the next turn of the worker: a push named something that we do not know. */
export function requestSync(
  context: Pick<Context, "clock">,
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<void> {
  return dueNow(db, workspaceId, channelId, context.clock.now());
}

/** Holds the channel until the end of the transaction: syncs and pushes about one channel take turns. */
export async function lockForSync(tx: Tx, workspaceId: string, channelId: string): Promise<void> {
  await selectChannel(tx, workspaceId, channelId, "for update");
}
