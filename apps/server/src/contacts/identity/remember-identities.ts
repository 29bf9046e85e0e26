import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { lockAgainstDeletion } from "./lock-against-deletion.ts";
import { addFreeIdentities } from "./identity-store.ts";
import { isNumberId } from "./people.ts";

/** The ids under which the platform knows a contact on a channel. */
export interface KnownAs {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly contactId: string;
  readonly channelType: string;
  readonly externalIds: readonly string[];
}

/**
 * Stores the ids by which a platform named the people we wrote to. WhatsApp may know a number under another form
 * than the one we sent to (Brazil, Mexico: channels §2.1), and has its own id for customers without a visible
 * number (§2.5). Without this, the customer's answer, and a STOP in it, would create a second contact. An id that
 * a contact has already stays with that contact. So does an id that came together with it, when the contact we
 * wrote to has a number of its own. Nothing is stored for a contact that the platform knows by another id of its
 * own.
 */
export async function rememberIdentities(
  context: Pick<Context, "clock">,
  tx: Tx,
  items: readonly KnownAs[],
): Promise<void> {
  const at = context.clock.now();
  const isNumber = (item: KnownAs, id: string) => isNumberId(item.channelType, id);
  const named = await addFreeIdentities(
    tx,
    items.flatMap((item) =>
      item.externalIds.map((externalId) => ({
        ...item,
        externalId,
        isNumber: isNumber(item, externalId),
        userId: item.externalIds.find((id) => !isNumber(item, id)) ?? null,
        beside: item.externalIds.find((id) => id !== externalId) ?? null,
        at,
      })),
    ),
  );
  // A deletion of one of them from now on waits for us, and finds what we stored.
  await lockAgainstDeletion(tx, named);
}
