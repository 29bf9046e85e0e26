import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { selectNotices, type Notice } from "./notice-store.ts";

const MAX_NOTICES = 200;

/** What the workspace's admins were told (a disabled endpoint, a paused campaign), newest first; at most 200. */
export async function listNotices(
  context: Pick<Context, "db">,
  workspaceId: string,
  limit = 50,
): Promise<Notice[]> {
  if (!isId(workspaceId)) return [];
  return selectNotices(context.db, workspaceId, Math.min(limit, MAX_NOTICES));
}
