import type { Context } from "../context.ts";
import { firstSequenceSince } from "./delivery-log-store.ts";
import { selectTraced } from "./trace-store.ts";

const WINDOW = 2_000;
const MAX_WINDOWS = 50;

/** An event about a record, with its delivery to each endpoint that takes it. */
export interface TracedEvent {
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  readonly at: Date;
  readonly deliveries: readonly {
    readonly endpointId: string;
    /** pending, delivered or exhausted. */
    readonly state: string;
    readonly attempts: number;
    readonly attemptedAt: Date | null;
    readonly statusCode: number | null;
    readonly failure: string | null;
  }[];
}

/**
 * The events since a time whose body holds an id, oldest first. No index knows which record an event names, so at most
 * 100,000 events are looked at; `lookedAtAll` is false when there were more.
 */
export async function traceEvents(
  context: Pick<Context, "db">,
  workspaceId: string,
  { id, since }: { readonly id: string; readonly since: Date },
): Promise<{ readonly events: readonly TracedEvent[]; readonly lookedAtAll: boolean }> {
  const events = new Map<
    number,
    TracedEvent & { deliveries: TracedEvent["deliveries"][number][] }
  >();
  let from = await firstSequenceSince(context.db, workspaceId, since, 100);
  for (let window = 0; window < MAX_WINDOWS; window++) {
    const { last, rows } = await selectTraced(context.db, workspaceId, {
      from,
      window: WINDOW,
      id,
    });
    for (const { sequence, eventId, type, at, endpointId, state, attempts, ...attempt } of rows) {
      const event = events.get(sequence) ?? { sequence, eventId, type, at, deliveries: [] };
      events.set(sequence, event);
      if (endpointId === null || state === null) continue;
      event.deliveries.push({ endpointId, state, attempts: attempts ?? 0, ...attempt });
    }
    if (last === null) return { events: [...events.values()], lookedAtAll: true };
    from = last + 1;
  }
  return { events: [...events.values()], lookedAtAll: false };
}
