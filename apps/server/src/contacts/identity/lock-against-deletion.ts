import { RunAgain, type Tx } from "../../db/database.ts";
import { lockExistingContacts } from "../record/person-store.ts";

/**
 * Keeps contacts from being deleted until the transaction ends, for operations that store something for them. When
 * one is gone already, the transaction had read it just before: it runs again and looks the contact up anew.
 */
export async function lockAgainstDeletion(
  tx: Tx,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<void> {
  if (keys.length === 0) return;
  const held = await lockExistingContacts(tx, keys);
  if (keys.some(({ id }) => !held.has(id))) throw new RunAgain("a contact was deleted meanwhile");
}
