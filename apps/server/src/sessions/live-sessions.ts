import type { Context } from "../context.ts";
import { selectLiveSessions } from "./session-store.ts";
import type { SignedIn } from "./session.ts";

/**
 * Those of the sessions that are still valid: not ended, not expired, with members that are neither disabled nor
 * stopped by two-factor. One statement.
 */
export async function liveSessions(
  context: Pick<Context, "db" | "clock">,
  sessions: readonly Pick<SignedIn, "workspaceId" | "memberId" | "sessionId">[],
): Promise<ReadonlySet<string>> {
  if (sessions.length === 0) return new Set();
  const rows = await selectLiveSessions(context.db, sessions, context.clock.now());
  return new Set(rows.map(({ id }) => id));
}
