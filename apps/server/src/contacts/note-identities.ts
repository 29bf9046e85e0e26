import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { addIdentities } from "./identity-store.ts";
import { isNumberId } from "./people.ts";

/** A further id under which the platform knows a contact on a channel. */
export interface KnownAs {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly contactId: string;
  readonly channelType: string;
  readonly externalId: string;
}

/**
 * Remembers the ids by which a platform named the people we wrote to. WhatsApp may know a number under another form
 * than the one we sent to (Brazil, Mexico: channels §2.1); without this the customer's answer would make a second
 * contact. An id that somebody holds already stays theirs.
 */
export async function noteIdentities(
  context: Pick<Context, "clock">,
  tx: Tx,
  items: readonly KnownAs[],
): Promise<void> {
  const at = context.clock.now();
  await addIdentities(
    tx,
    items.map((item) => ({ ...item, isNumber: isNumberId(item.channelType, item.externalId), at })),
    { takeOver: false },
  );
}
