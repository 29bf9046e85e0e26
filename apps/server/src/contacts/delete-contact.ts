import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { lockContacts, removeContacts } from "./contact-store.ts";
import { moveTotals } from "./contact-total-store.ts";

/**
 * Removes a contact with its channel identities. Conversations keep their messages; the person, writing again,
 * becomes a new contact. The consent ledger stays: it is the proof of what was asked. Throws NOT_FOUND.
 */
export async function deleteContact(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    // Whoever changes it now is waited for first: what they note of the change goes with the rest.
    if (isId(id)) tx.later(lockContacts(tx, workspaceId, [id]));
    const gone = isId(id) ? await removeContacts(tx, workspaceId, [id]) : [];
    if (gone.length === 0) throw new AppError("NOT_FOUND");
    await moveTotals(tx, [{ workspaceId, id, by: -1 }]);
  });
}
