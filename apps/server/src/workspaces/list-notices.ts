import { permitRight } from "../policies.ts";
import { type Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { selectNotices, type Notice } from "./notice-store.ts";

const MAX_NOTICES = 200;

/**
 * The notices to the workspace's admins (a disabled endpoint, a paused campaign), newest first, at most 200. Throws
 * FORBIDDEN.
 */
export async function listNotices(
  actor: Actor,
  context: Pick<Context, "db">,
  workspaceId: string,
  limit = 50,
): Promise<Notice[]> {
  permitRight(actor, "notice.read");
  if (!isId(workspaceId)) return [];
  return selectNotices(context.db, workspaceId, Math.min(limit, MAX_NOTICES));
}
