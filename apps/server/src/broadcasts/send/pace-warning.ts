import type { Context } from "../../context.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { CEILING_MS, usualRate } from "./number-pace.ts";
import { selectChannelPace } from "./pace-store.ts";

/** Why a pace is more than the campaign's number may send, and how many a minute it may. */
export type PaceExcess =
  /** `set`: a person set it; `usual`: the usual limit of such a number. */
  | { readonly limit: "set" | "usual"; readonly most: number }
  /** The platform refused at `since`. */
  | { readonly limit: "refused"; readonly most: number; readonly since: Date };

/**
 * The objection to a campaign's pace; null: there is none. The campaign is created all the same, because a
 * platform allows some numbers more than others, and says so only by refusing.
 */
export async function paceExcess(
  context: Pick<Context, "db" | "clock">,
  broadcast: Broadcast,
): Promise<PaceExcess | null> {
  const { workspaceId, channelId, rateLimitPerMinute: rate } = broadcast;
  const number = channelId && (await selectChannelPace(context.db, workspaceId, channelId));
  if (number) {
    const { most, ceiling, halvedAt } = number;
    if (most !== null && rate > most) return { limit: "set", most };
    const held =
      halvedAt !== null && context.clock.now().getTime() - halvedAt.getTime() < CEILING_MS;
    if (held && ceiling !== null && rate > ceiling)
      return { limit: "refused", most: ceiling, since: halvedAt };
  }
  const usual = usualRate(broadcast);
  return rate > usual ? { limit: "usual", most: usual } : null;
}

/**
 * The messages a minute that a campaign can keep: its pace, or what a person set for its number, or what the platform's
 * refusals hold the number to. The usual limit of such a number binds it only once the platform refuses.
 */
export async function paceToKeep(
  context: Pick<Context, "db" | "clock">,
  broadcast: Broadcast,
): Promise<number> {
  const excess = await paceExcess(context, broadcast);
  return excess === null || excess.limit === "usual" ? broadcast.rateLimitPerMinute : excess.most;
}

/** The objection in words; null: the number may send as fast. */
export async function paceWarning(
  context: Pick<Context, "db" | "clock">,
  broadcast: Broadcast,
): Promise<string | null> {
  const excess = await paceExcess(context, broadcast);
  if (excess === null) return null;
  const asked = `${broadcast.rateLimitPerMinute.toLocaleString("en")} a minute`;
  const most = excess.most.toLocaleString("en");
  switch (excess.limit) {
    case "set":
      return `${asked} is more than its number is set to (${most}): channel pace raises it`;
    case "refused":
      return `${asked} is more than its number sends (${most}) since the platform refused at ${excess.since.toISOString()}`;
    case "usual": {
      const whose =
        broadcast.kind === "SMS" ? "an SMS account" : `a ${broadcast.channelType} number`;
      return `${asked} is more than ${whose} usually may send (${most}); when it is refused, the pace is halved`;
    }
  }
}
