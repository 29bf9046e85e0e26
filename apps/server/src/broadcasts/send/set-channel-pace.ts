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

/** What is set for the number of a channel, and what its platform's refusals hold it to. Throws NOT_FOUND. */
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
 * Sets what all campaigns on a number together send at most, in messages a minute (10 to 1,000,000), whatever they are
 * set to themselves and whichever workspace holds the number; null takes it away. From the next batch on, within a
 * second. Replies are not held by it. Writes the audit. Throws NOT_FOUND, VALIDATION_FAILED.
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
