import { write } from "../../write.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { RATE_CEILING, RATE_FLOOR } from "./pace.ts";
import { selectChannelPace, setMost, type ChannelPace } from "./pace-store.ts";

/** How fast campaigns may send on the number of a channel. */
export interface ChannelPaceReport extends ChannelPace {
  readonly channelId: string;
}

/** The pace that is set for the number of a channel, and the limit from its platform's refusals. Throws NOT_FOUND. */
export async function channelPace(
  context: Pick<Context, "db">,
  workspaceId: string,
  channelId: string,
): Promise<ChannelPaceReport> {
  const found = isId(channelId)
    ? await selectChannelPace(context.db, workspaceId, channelId)
    : undefined;
  if (!found) throw new AppError("NOT_FOUND", { explanation: "no such channel" });
  return { channelId, ...found };
}

/**
 * Sets the most that all campaigns on a number together send, in messages a minute (10 to 1,000,000), whatever
 * their own pace and workspace; null removes it. Takes effect from the next batch on, within a second. Replies are
 * not limited by it. Writes the audit. Throws NOT_FOUND, VALIDATION_FAILED.
 */
export const setChannelPace = write(
  "channel.set_pace",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId: string,
    channelId: string,
    most: number | null,
  ): Promise<ChannelPaceReport> => {
    if (most !== null && !(Number.isInteger(most) && most >= RATE_FLOOR && most <= RATE_CEILING))
      throw invalid("pace", `must be none or a whole number from ${RATE_FLOOR} to ${RATE_CEILING}`);
    const before = await channelPace(context, workspaceId, channelId);
    await context.db.transaction(async (tx) => {
      await setMost(tx, workspaceId, channelId, most);
      await audit(actor, context, tx, workspaceId, {
        action: "channel.paced",
        subject: channelId,
        facts: { from: before.most, to: most },
      });
      tx.afterCommit(() => context.wake.nudge("broadcasts"));
    });
    return channelPace(context, workspaceId, channelId);
  },
);
