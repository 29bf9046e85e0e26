import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Broadcast } from "./broadcast.ts";
import { selectBroadcast } from "./broadcast-store.ts";

export {
  campaignsWaitingFor,
  hasBroadcasts,
  selectBroadcastNames,
  selectUnfinishedOn,
  workspaceOfBroadcast,
} from "./broadcast-store.ts";

/** The campaign, or `BROADCAST_NOT_FOUND`: for a malformed id, an unknown one and another workspace's alike. */
export async function findBroadcast(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<Broadcast> {
  const broadcast = isId(id) ? await selectBroadcast(context.db, workspaceId, id) : null;
  if (broadcast === null) throw new AppError("BROADCAST_NOT_FOUND");
  return broadcast;
}
