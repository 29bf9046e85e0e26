import type { Context } from "../context.ts";
import { emitEvents } from "./emit-events.ts";
import { findEndpoint } from "./list-endpoints.ts";

/** Sends `endpoint.test` to this endpoint alone, whatever kinds it asked for. Throws NOT_FOUND. */
export async function sendTestEvent(
  context: Pick<Context, "db" | "ids" | "clock" | "wake">,
  workspaceId: string,
  endpointId: string,
): Promise<void> {
  await findEndpoint(context, workspaceId, endpointId);
  const occurredAt = context.clock.now().toISOString();
  await context.db.transaction((tx) =>
    emitEvents(context, tx, [
      { workspaceId, type: "endpoint.test", data: { endpointId, occurredAt } },
    ]),
  );
}
