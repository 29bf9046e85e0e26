import type { Context } from "../context.ts";
import { QueryTimeout } from "../db/database.ts";
import { compileCount } from "./segment-sql.ts";
import {
  claimDue,
  countContacts,
  countOthers,
  postponeCount,
  storeCount,
} from "./segment-store.ts";
import type { Definition } from "./segment.ts";

/** Counts are shown, not relied on: a quarter of an hour old is fresh enough. */
const STALE_MS = 15 * 60_000;
const TIMEOUT_MS = 30_000;
/** A count that took too long is not tried four times an hour. */
const RETRY_MS = 60 * 60_000;
const SLOW_MS = 500;
const REST = 4;

/** How many contacts the definition names now. Throws `QueryTimeout` after 30 s or `timeoutMs`, VALIDATION_FAILED. */
export async function countSegment(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  definition: Definition,
  timeoutMs = TIMEOUT_MS,
): Promise<number> {
  const { where, others } = compileCount(definition, context.clock.now());
  const statement = others ? countOthers(workspaceId, where) : countContacts(workspaceId, where);
  const [row] = await context.db.slowQuery<{ count: number }>(
    statement,
    timeoutMs,
    "planned each time",
  );
  return row?.count ?? 0;
}

/** Workspaces that rest, and until when (by the clock, in milliseconds): their segments are not counted before that. */
export type RestingWorkspaces = Map<string, number>;

/**
 * Counts one segment with a missing or old count; false when none is due. A count that takes too long leaves the
 * old one with its time, and is tried again an hour later. After a slow count the other segments of its workspace
 * wait four times as long as it took, so that a workspace uses at most a fifth of the worker while others wait.
 * The worker keeps the resting workspaces in memory: writing the rest to each segment took 300 rows for every
 * count.
 */
export async function refreshStaleSegment(
  context: Pick<Context, "db" | "clock" | "log">,
  resting: RestingWorkspaces = new Map(),
): Promise<boolean> {
  const now = context.clock.now();
  for (const [workspaceId, until] of resting) {
    const left = until - now.getTime();
    // Longer than the longest rest: the clock was set back since.
    if (left <= 0 || left > TIMEOUT_MS * REST) resting.delete(workspaceId);
  }
  const again = new Date(now.getTime() + STALE_MS);
  const [segment] = await claimDue(context.db, now, again, [...resting.keys()]);
  if (!segment) return false;
  const began = performance.now();
  let took: number;
  try {
    const count = await countSegment(context, segment.workspaceId, segment.definition);
    took = performance.now() - began;
    await storeCount(context.db, segment, count, now);
  } catch (error) {
    if (!(error instanceof QueryTimeout)) throw error;
    took = TIMEOUT_MS;
    context.log.warn(
      { workspaceId: segment.workspaceId, segmentId: segment.id },
      "segment count took too long",
    );
    await postponeCount(context.db, segment, new Date(now.getTime() + RETRY_MS));
  }
  if (took >= SLOW_MS)
    resting.set(segment.workspaceId, context.clock.now().getTime() + took * REST);
  return true;
}
