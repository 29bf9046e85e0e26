import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { cutPage } from "../../lib/cut-page.ts";
import { isId } from "../../lib/ids.ts";
import type { Broadcast } from "./broadcast.ts";
import { selectNewestBroadcasts, type BroadcastFilter } from "./broadcast-store.ts";

/** How many campaigns the list shows (spec, GET /v1/broadcasts). */
const LISTED = 100;

/** The 100 most recent campaigns, newest first. */
export function listBroadcasts(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<Broadcast[]> {
  return selectNewestBroadcasts(context.db, workspaceId, { limit: LISTED });
}

/** A page of the campaigns that a filter leaves, newest first. VALIDATION_FAILED for an invalid cursor. */
export async function pageOfBroadcasts(
  context: Pick<Context, "db">,
  workspaceId: string,
  page: BroadcastFilter & { readonly before?: string | undefined; readonly limit: number },
): Promise<{ readonly items: readonly Broadcast[]; readonly next: string | null }> {
  const { before, limit } = page;
  if (before !== undefined && !isId(before))
    throw invalid("cursor", "must be the nextCursor of the page before");
  // A malformed id names no record, so nothing is of it.
  const ids = [page.channelId, page.segmentId, page.parentId];
  if (ids.some((id) => id !== undefined && !isId(id))) return { items: [], next: null };
  const found = { ...page, limit: limit + 1 };
  const { items, last } = cutPage(
    await selectNewestBroadcasts(context.db, workspaceId, found),
    limit,
  );
  return { items, next: last?.id ?? null };
}
