import type { Context } from "../../context.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import {
  hashUnownedLedger,
  hashNumbers,
  restoreOwnedNumbers,
  numbersInUse,
  selectNobodys,
} from "../consent/opted-out-store.ts";
import { setConsent } from "../consent/set-consent.ts";

const MOST = 500;

/**
 * Keeps only the hash of an opted-out number that no contact has: a stranger's number, or one whose person was
 * erased before (docs/privacy.md). Looks at numbers stored before `before`. Until then `sweepConsent` finds by the
 * digits a contact that was being created at that moment. A contact that it did not find is opted out here. Gives
 * how many numbers it looked at.
 */
export async function hashUnownedNumbers(
  context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer">,
  before: Date,
): Promise<number> {
  const found = await selectNobodys(context.db, before, MOST);
  if (found.length === 0) return 0;
  await context.db.transaction(async (tx) => {
    const events: NewEvent[] = [];
    for (const [workspaceId, some] of Map.groupBy(found, (one) => one.workspaceId)) {
      const phones = some.map((one) => one.phone);
      const taken = await numbersInUse(tx, workspaceId, phones);
      const free = phones
        .filter((phone) => !taken.includes(phone))
        .map((phone) => ({ workspaceId, phone }));
      const wish = { workspaceId, contactId: null, optedOut: true, source: "number" };
      const at = context.clock.now();
      // Contacts are locked before numbers.
      const wishes = taken.map((phone) => ({ ...wish, contactId: null, phone, at }));
      events.push(...(await setConsent(context, tx, wishes)));
      await restoreOwnedNumbers(tx, workspaceId, taken);
      await hashNumbers(context, tx, free);
      await hashUnownedLedger(context, tx, free);
    }
    await emitEvents(context, tx, events);
  });
  return found.length;
}
