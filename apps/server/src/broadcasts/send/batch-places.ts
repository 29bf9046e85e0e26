import type { Context } from "../../context.ts";
import { openBudget, usualRate, type Asker } from "./number-pace.ts";
import { lockNumberOf, updatePlaces } from "./pace-store.ts";

/** What batches hand in is sent as fast as the number allows, as by a campaign without a pace of its own. */
const WITHOUT_PACE = { tokens: 1, at: null } as const;

/**
 * Takes up to `wanted` places of a channel's number for messages of batches: the times of their calls, in ms, half a second
 * ahead at most. Such messages share the number with its campaigns, as one campaign more. None while the platform asked
 * the number to wait.
 */
export async function reserveBatchPlaces(
  { db, clock }: Pick<Context, "db" | "clock">,
  channel: { readonly workspaceId: string; readonly channelId: string },
  wanted: number,
): Promise<readonly number[]> {
  const { workspaceId, channelId } = channel;
  const of = { kind: "WHATSAPP_TEMPLATE", channelType: "WHATSAPP" } as const;
  const asker: Asker = { id: channelId, rateLimitPerMinute: usualRate(of), ...of };
  return db.transaction(async (tx) => {
    const now = clock.now();
    const number = await lockNumberOf(tx, workspaceId, channelId, now);
    if (!number) return [];
    const budget = openBudget(WITHOUT_PACE, number, asker, now);
    const count = Math.min(wanted, budget.count);
    if (count === 0) {
      if (budget.wanting) await updatePlaces(tx, budget.wanting);
      return [];
    }
    const taken = budget.take(count, now);
    await updatePlaces(tx, taken.number);
    return taken.places;
  });
}
