import type { Context } from "../context.ts";
import type { EventKind } from "../wire/words.ts";
import { selectFeed, selectHeads, selectLast } from "./feed-store.ts";

/** One event of the feed, as the exact text that webhooks deliver. */
export interface FeedEvent {
  readonly sequence: number;
  readonly type: string;
  readonly body: string;
}

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /**
   * Where to read on. With `types` it may lie after the last event of the page, because other events were passed over.
   */
  readonly nextAfter: number;
  /** True when there is more to read now. */
  readonly hasMore: boolean;
  /** The oldest event that is kept (for 30 days), or null. */
  readonly oldestSequence: number | null;
  /**
   * True when this page does not continue from `after`: the next number is gone, or `after` was never given out or was
   * before a restore.
   */
  readonly gap: boolean;
}

const MAX_FEED_PAGE = 500;
/** How many events one page may pass over in search of its types. */
const MOST_LOOKED_AT = 5_000;

/**
 * The workspace's events after a sequence, in order. The numbers are given out under a lock that is held until the
 * commit, so a reader that goes on from `nextAfter` misses none. Without `after`, it begins with the oldest kept event.
 * It does the same when `after` is older than that, and reports it (`gap`).
 */
export async function readFeed(
  context: Pick<Context, "db">,
  workspaceId: string,
  want: {
    readonly after?: number | undefined;
    readonly limit: number;
    /** Null: all kinds. Empty: the page passes over every event. */
    readonly types: readonly EventKind[] | null;
  },
): Promise<FeedPage> {
  const { after = 0, types } = want;
  const limit = Math.min(want.limit, MAX_FEED_PAGE);
  const rows = await selectFeed(context.db, workspaceId, {
    after,
    limit,
    types,
    window: types === null ? limit : MOST_LOOKED_AT,
  });
  const events = rows.flatMap(({ sequence, type, body }) =>
    sequence === null || type === null || body === null ? [] : [{ sequence, type, body }],
  );
  const { last = 0, oldest = null, first = null, scanned = null } = rows[0] ?? {};
  const end = events.length === limit ? events.at(-1)?.sequence : scanned;
  const nextAfter = end ?? last;
  return {
    events,
    nextAfter,
    hasMore: nextAfter < last,
    oldestSequence: oldest,
    gap: want.after !== undefined && (first ?? last + 1) !== after + 1,
  };
}

/** The last sequence of each workspace that has events. */
export async function lastSequences(
  context: Pick<Context, "db">,
  workspaceIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await selectLast(context.db, workspaceIds);
  return new Map(rows.map(({ workspaceId, last }) => [workspaceId, last]));
}

/** The last event's number and the inbox's number of each workspace that has any, in one statement. */
export async function sequenceHeads(
  context: Pick<Context, "db">,
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly last: number; readonly desk: number }>> {
  const rows = await selectHeads(context.db, workspaceIds);
  return new Map(rows.map((row) => [row.workspaceId, row]));
}
