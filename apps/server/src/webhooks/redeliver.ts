import { audit } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { firstSequenceSince, requeueBatch, requeueOne } from "./delivery-log-store.ts";
import { byIndexAlone } from "./delivery-store.ts";
import { noDelivery } from "./list-deliveries.ts";
import { findEndpoint } from "./list-endpoints.ts";
import { write } from "../write.ts";

export { giveUpDeliveries } from "./delivery-store.ts";

/** How many deliveries one transaction looks at. */
const BATCH = 1_000;
/**
 * How much earlier than the asked time the look begins: numbers are given at the commit, times before it, and a clock
 * may be set back a little.
 */
const MARGIN_MS = 60 * 60_000;

export type Redelivery =
  /** One, whatever its state, by the event's id: the `webhook-id` of its request. */
  | { readonly eventId: string }
  /** All made since a time that are held or used up their retries; with `delivered` those that arrived too. */
  | { readonly since: Date; readonly delivered?: boolean };

/**
 * Sends again, each in a new round of the retry schedule; events are kept for 30 days. Since a time: in batches, each
 * of its own transaction, `progress` told the number so far after each; ends early when the endpoint is disabled
 * meanwhile. Gives the number of deliveries. Throws NOT_FOUND, and NOT_ALLOWED_IN_STATE while the endpoint is disabled.
 */
export const redeliver = write(
  "endpoint.redeliver",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId: string,
    endpointId: string,
    which: Redelivery,
    progress: (count: number) => void = () => {},
  ): Promise<number> => {
    const endpoint = await findEndpoint(context, workspaceId, endpointId);
    if (endpoint.disabledAt) {
      throw new AppError("NOT_ALLOWED_IN_STATE", {
        explanation: "the endpoint is disabled: enable it first, which also sends what is held",
      });
    }
    const now = context.clock.now();
    const entry = { action: "endpoint.redelivered", subject: endpointId } as const;
    if ("eventId" in which) {
      const { eventId } = which;
      if (!isId(eventId)) throw noDelivery(eventId);
      await context.db.transaction(async (tx) => {
        const found = await requeueOne(tx, workspaceId, endpointId, eventId, now);
        if (!found) throw noDelivery(eventId);
        await audit(actor, context, tx, workspaceId, { ...entry, facts: { eventId } });
      });
      context.wake.nudge("deliveries");
      return 1;
    }
    const range = { since: which.since, until: now, delivered: which.delivered ?? false };
    let total = 0;
    const first = await firstSequenceSince(
      context.db,
      workspaceId,
      new Date(which.since.getTime() - MARGIN_MS),
      BATCH,
    );
    for (let after: number | null = first - 1; after !== null;) {
      const from: number = after;
      const { last, count } = await context.db.transaction(async (tx) => {
        if (from === first - 1)
          await audit(actor, context, tx, workspaceId, { ...entry, facts: which });
        tx.later(byIndexAlone(tx));
        return requeueBatch(tx, workspaceId, endpointId, range, from, BATCH);
      });
      total += count;
      if (count > 0) context.wake.nudge("deliveries");
      progress(total);
      after = last;
    }
    return total;
  },
);
