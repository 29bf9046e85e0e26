import type { Tx } from "../../db/database.ts";
import { currentId, lockContacts } from "../record/contact-store.ts";
import type { ContactRow } from "../record/contact.ts";
import { knownIds } from "../record/person-store.ts";

/**
 * Locks the contacts that these ids mean, until the transaction ends. When a contact is merged while we wait for
 * it, the contact it was merged into is locked instead. `current` has an id for each given id, `rows` the existing
 * contacts in the order of their ids.
 */
export async function lockCurrent(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ readonly current: readonly string[]; readonly rows: readonly ContactRow[] }> {
  for (let before = ""; ;) {
    const current: string[] = [];
    for (const id of ids) current.push(await currentId(tx, workspaceId, id));
    const rows = await lockContacts(tx, workspaceId, current);
    const held = new Set(rows.map(({ id }) => id));
    // A contact that has no other id when we ask again is gone.
    const asked = current.join();
    if (asked === before || current.every((id) => held.has(id))) return { current, rows };
    before = asked;
  }
}

/**
 * Locks the contact that an id means, until the transaction ends. Until then it is not merged with another
 * contact, and changes that others were making to it are finished.
 */
export async function lockPersonUntilCommit(
  tx: Tx,
  workspaceId: string,
  contactId: string,
): Promise<void> {
  for (let before = ""; ;) {
    const ids = (await knownIds(tx, workspaceId, contactId)).join();
    if (ids === before) return;
    before = ids;
    await lockContacts(tx, workspaceId, ids.split(","));
  }
}
