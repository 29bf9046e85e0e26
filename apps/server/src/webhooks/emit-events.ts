import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import { bodyAround, type NewEvent } from "./event.ts";
import { insertEvents } from "./event-store.ts";

/**
 * Stores events and their deliveries in the transaction that caused them. So no event is lost, and none reports a
 * change that was rolled back (contract §5, Webhook delivery). It is one statement however many there are. It locks the
 * workspaces' sequence rows until the commit, so it is sent when everything else of the transaction was: two that lock a
 * meter and events in different orders would wait for each other. Call it once where you can. `by` made the changes: events
 * of contacts, conversations and notes say so (a text is an `actorName`), but for those that name somebody already.
 */
export function emitEvents(
  context: Pick<Context, "ids" | "clock" | "wake">,
  tx: Tx,
  events: readonly NewEvent[],
  by?: Actor | string,
): Promise<void> {
  if (events.length === 0) return Promise.resolve();
  const at = context.clock.now();
  const rows = events.map((event) => {
    const id = context.ids.next();
    return {
      workspaceId: event.workspaceId,
      id,
      type: event.type,
      ...bodyAround(event, id, at, by),
      onlyEndpointId: event.type === "endpoint.test" ? event.data.endpointId : null,
      exceptEndpointId: event.type === "webhook.disabled" ? event.data.endpointId : null,
      orderKey: orderKeyOf(event),
    };
  });
  tx.beforeCommit(() =>
    insertEvents(tx, rows, at).then((deliveries) => {
      tx.afterCommit(() => {
        context.wake.nudge("feed");
        if (deliveries > 0) context.wake.nudge("deliveries");
      });
    }),
  );
  return Promise.resolve();
}

/**
 * Events of the same message reach the receiver in order: "sent" is before "delivered". Those of a note too: a text that
 * arrives after the note's deletion would be kept.
 */
function orderKeyOf({ data }: NewEvent): string | null {
  if ("note" in data) return data.note.id;
  if ("recipient" in data) return data.recipient.messageId;
  return "messageId" in data && isId(data.messageId) ? data.messageId : null;
}
