import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import { endpointNotFound, type Endpoint } from "./endpoint.ts";
import { hastenBatch, markEnabled, selectHastening } from "./endpoint-store.ts";
import { write } from "../write.ts";

/** How many deliveries one transaction makes due. */
const BATCH = 1_000;

/**
 * Enables an endpoint and sets its count of failures to zero. Held deliveries go out now, each in a new round of the
 * retry schedule. It writes one row, however many wait. Only deliveries that wait for their next try are made due, in
 * batches. Throws NOT_FOUND.
 */
export const enableEndpoint = write(
  "endpoint.enable",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId: string,
    endpointId: string,
  ): Promise<Endpoint> => {
    if (!isId(workspaceId) || !isId(endpointId)) throw endpointNotFound();
    // The first batch is in the same transaction, so a lane that finds the endpoint enabled finds its oldest deliveries
    // due.
    const { endpoint, goOn } = await context.db.transaction((tx) =>
      enableWithin(actor, context, tx, workspaceId, endpointId),
    );
    await goOn();
    return endpoint;
  },
);

/** The same in a transaction of the caller, which calls `goOn` after the commit. */
export async function enableWithin(
  actor: Actor,
  context: Pick<Context, "db" | "ids" | "clock" | "wake">,
  tx: Tx,
  workspaceId: string,
  endpointId: string,
): Promise<{ readonly endpoint: Endpoint; readonly goOn: () => Promise<void> }> {
  const endpoint = await markEnabled(tx, workspaceId, endpointId, context.clock.now());
  if (!endpoint) throw endpointNotFound();
  const entry: AuditEntry = { action: "endpoint.enabled", subject: endpointId };
  await audit(actor, context, tx, workspaceId, entry);
  const moved = await hastenBatch(tx, workspaceId, endpointId, BATCH);
  return {
    endpoint,
    async goOn() {
      if (moved === BATCH) await hasten(context, workspaceId, endpointId);
      context.wake.nudge("deliveries");
    },
  };
}

async function hasten(
  context: Pick<Context, "db">,
  workspaceId: string,
  endpointId: string,
): Promise<number> {
  for (let total = 0; ;) {
    const moved = await hastenBatch(context.db, workspaceId, endpointId, BATCH);
    total += moved;
    if (moved < BATCH) return total;
  }
}

/** Goes on where a process died while it enabled an endpoint. Returns the number of deliveries. */
export async function resumeEnabling(context: Pick<Context, "db" | "wake">): Promise<number> {
  let total = 0;
  for (const { workspaceId, endpointId } of await selectHastening(context.db))
    total += await hasten(context, workspaceId, endpointId);
  if (total > 0) context.wake.nudge("deliveries");
  return total;
}
