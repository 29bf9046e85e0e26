import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { parseContact } from "./contact.ts";
import { applyConsent } from "./consent-store.ts";

export interface ConsentChange {
  readonly workspaceId: string;
  readonly contactId: string;
  readonly optedOut: boolean;
  /** What asked for it: "stop_word", "platform", "dashboard", "import" … */
  readonly source: string;
  readonly at: Date;
}

/**
 * Opts contacts out or in (contract §5, Opt-out) and gives the `contact.opted_out` / `contact.opted_in` events for
 * the caller to emit last. A change that finds things as it wants them does nothing. Each that does is a row of the
 * consent ledger. Consent belongs to the number: other contacts of the workspace with the same phone follow, or a
 * campaign would still reach the person through them. Unknown contacts are left out. Changes of one contact take
 * effect in the order given.
 */
export async function setConsent(
  context: Pick<Context, "ids">,
  tx: Tx,
  changes: readonly ConsentChange[],
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (let rest = [...changes]; rest.length > 0;) {
    const seen = new Set<string>();
    const round: ConsentChange[] = [];
    const later: ConsentChange[] = [];
    for (const change of rest) {
      const key = `${change.workspaceId}:${change.contactId}`;
      (seen.has(key) ? later : round).push(change);
      seen.add(key);
    }
    // Two of one round can share a number; a change of direction must not meet the other in one statement.
    const direction = round[0]?.optedOut;
    const together = round.filter((change) => change.optedOut === direction);
    for (const { workspaceId, document, change } of await applyConsent(context, tx, together)) {
      events.push({
        workspaceId,
        type: change.optedOut ? "contact.opted_out" : "contact.opted_in",
        data: {
          contact: parseContact(document),
          source: change.source,
          occurredAt: change.at.toISOString(),
        },
      });
    }
    rest = [...round.filter((change) => change.optedOut !== direction), ...later];
  }
  return events;
}
