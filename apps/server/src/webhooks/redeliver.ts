import { audit } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import {
  firstSequenceSince,
  requeueBatch,
  requeueOne,
  requeueWaiting,
  type RequeuedBatch,
  type WaitingPlace,
} from "./delivery-log-store.ts";
import { byIndexAlone } from "./delivery-store.ts";
import { noDelivery } from "./list-deliveries.ts";
import { findEndpoint } from "./list-endpoints.ts";
import { write } from "../write.ts";

export { giveUpDeliveries } from "./delivery-store.ts";

/** How many deliveries one transaction looks at. */
const BATCH = 1_000;
/**
 * How far before the given time the search begins. Sequences are given at the commit and times before it, and a clock
 * may be set back a little.
 */
const MARGIN_MS = 60 * 60_000;

/** A sequence in the walk over those whose tries are exhausted; then a place among those that wait. */
type Place = number | WaitingPlace;

export type Redelivery =
  /** One delivery in any state, by the id of its event (the `webhook-id` of its request). */
  | { readonly eventId: string }
  /**
   * All deliveries made since a time that failed: those whose tries are exhausted, and those that wait for a later try.
   * With `delivered` the delivered ones too.
   */
  | { readonly since: Date; readonly delivered?: boolean };

/**
 * Sends deliveries again, each in a new round of the retry schedule. (Events are kept for 30 days.) Those since a time
 * go in batches, each in its own transaction, and `progress` is called after each with the number so far. It ends early
 * when the endpoint is disabled meanwhile. `within` runs in the last transaction, before its commit. An endpoint that
 * rests after a failure goes on resting. Returns the number of deliveries. Throws NOT_FOUND, and NOT_ALLOWED_IN_STATE
 * while the endpoint is disabled.
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
    within: (tx: Tx, total: number) => Promise<void> = async () => {},
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
      if (!isId(eventId)) throw noDelivery();
      await context.db.transaction(async (tx) => {
        const found = await requeueOne(tx, workspaceId, endpointId, eventId, now);
        if (!found) throw noDelivery();
        await audit(actor, context, tx, workspaceId, { ...entry, facts: { eventId } });
        await within(tx, 1);
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
    const earliest: WaitingPlace = { at: now.toISOString(), sequence: 0 };
    for (let from: Place | null = first - 1; from !== null;) {
      const after: Place = from;
      const batch: RequeuedBatch<Place> = await context.db.transaction(async (tx) => {
        if (after === first - 1)
          await audit(actor, context, tx, workspaceId, { ...entry, facts: which });
        tx.later(byIndexAlone(tx));
        const exhausted: RequeuedBatch<number> =
          typeof after === "number"
            ? await requeueBatch(tx, workspaceId, endpointId, range, after, BATCH)
            : { last: null, count: 0 };
        if (exhausted.last !== null) return exhausted;
        const place = typeof after === "number" ? earliest : after;
        const waiting = await requeueWaiting(tx, workspaceId, endpointId, range, place, BATCH);
        const moved = exhausted.count + waiting.count;
        if (waiting.last === null) await within(tx, total + moved);
        return { last: waiting.last, count: moved };
      });
      total += batch.count;
      if (batch.count > 0) context.wake.nudge("deliveries");
      progress(total);
      from = batch.last;
    }
    return total;
  },
);
