import type { Context } from "../context.ts";
import { writeCalls } from "./channel-store.ts";
import { hookCalls } from "./hook-calls.ts";

/**
 * Stores the results of platforms' calls to this process, all channels in one statement, and logs one line for
 * each channel that was called with a wrong signature or verify token. Gives the number of channels. A crash loses
 * one minute of it.
 */
export async function recordHookCalls(
  context: Pick<Context, "db" | "clock" | "log">,
): Promise<number> {
  const due = hookCalls(context.db).claimDue(context.clock.now());
  if (due.length === 0) return 0;
  for (const { workspaceId, channelId, wrongSignatures, wrongTokenAt } of due) {
    if (wrongSignatures > 0)
      context.log.warn(
        { workspaceId, channelId, calls: wrongSignatures },
        "calls with a wrong signature were refused: check the channel's app secret",
      );
    if (wrongTokenAt !== null)
      context.log.warn(
        { workspaceId, channelId },
        "the platform asked with another verify token than the channel's",
      );
  }
  // Rows in one order, so that two processes do not deadlock.
  await writeCalls(
    context.db,
    due.toSorted((a, b) => (a.channelId < b.channelId ? -1 : 1)),
  );
  return due.length;
}
