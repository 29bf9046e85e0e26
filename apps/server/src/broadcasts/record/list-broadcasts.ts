import type { Context } from "../../context.ts";
import type { Broadcast } from "./broadcast.ts";
import { selectNewest } from "./broadcast-store.ts";

/** How many campaigns the list shows (spec, GET /v1/broadcasts). */
const LISTED = 100;

/** The 100 most recent campaigns, newest first. */
export function listBroadcasts(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<Broadcast[]> {
  return selectNewest(context.db, workspaceId, LISTED);
}
