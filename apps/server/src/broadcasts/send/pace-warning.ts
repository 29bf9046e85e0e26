import type { Context } from "../../context.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { CEILING_MS, usualRate } from "./number-pace.ts";
import { selectChannelPace } from "./pace-store.ts";

/**
 * The warning about a pace that the campaign's number may not send; null: it may. The campaign is made all the
 * same, because a platform gives some numbers more than others, and says so only by refusing.
 */
export async function paceWarning(
  context: Pick<Context, "db" | "clock">,
  broadcast: Broadcast,
): Promise<string | null> {
  const { workspaceId, channelId, rateLimitPerMinute: rate } = broadcast;
  const asked = `${rate.toLocaleString("en")} a minute`;
  const number = channelId && (await selectChannelPace(context.db, workspaceId, channelId));
  if (number) {
    const { most, ceiling, halvedAt } = number;
    if (most !== null && rate > most)
      return `${asked} is more than its number is set to (${most.toLocaleString("en")}): channel pace raises it`;
    const held =
      halvedAt !== null && context.clock.now().getTime() - halvedAt.getTime() < CEILING_MS;
    if (held && ceiling !== null && rate > ceiling)
      return `${asked} is more than its number sends (${ceiling.toLocaleString("en")}) since the platform refused at ${halvedAt.toISOString()}`;
  }
  const usual = usualRate(broadcast);
  if (rate <= usual) return null;
  const whose = broadcast.kind === "SMS" ? "an SMS account" : `a ${broadcast.channelType} number`;
  return `${asked} is more than ${whose} usually may send (${usual.toLocaleString("en")}); when it is refused, the pace is halved`;
}
