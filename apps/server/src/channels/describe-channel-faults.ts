import type { Context } from "../context.ts";
import { selectToTell } from "./channel-store.ts";
import { channelWarnings } from "./channel-warnings.ts";

/** More than an operator reads at once; `channel list` shows all of a workspace. */
const MOST = 50;

/** The faults of all channels of the installation, one line each, beginning with the channel's type and id. */
export async function describeChannelFaults(
  context: Pick<Context, "db" | "clock">,
): Promise<string[]> {
  const now = context.clock.now();
  const rows = await selectToTell(context.db, now, MOST + 1);
  const lines = rows
    .slice(0, MOST)
    .flatMap((row) =>
      channelWarnings(row, now).map((words) => `channel ${row.type} ${row.id}: ${words}`),
    );
  if (rows.length > MOST) lines.push("and more channels: parley channel list --workspace ID");
  return lines;
}
