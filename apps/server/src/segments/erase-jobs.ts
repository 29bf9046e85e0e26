import type { NamedAddresses } from "../contacts/identity/names-address.ts";
import type { Tx } from "../db/database.ts";
import { definitionNames, withoutAddresses } from "./definition-addresses.ts";
import { lockDefinitions, removeFromJobs, writeDefinitions } from "./erasure-store.ts";

/**
 * Removes the person from changes to many contacts. A change that was only about the person loses the values it
 * was to write. A running job with rules that name an address of the person goes on without that address; for
 * everybody else nothing changes. Gives the jobs that were only about the person: their audit entries say the same
 * words.
 */
export async function eraseJobs(
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
  who: NamedAddresses,
): Promise<string[]> {
  const alone = await removeFromJobs(tx, workspaceId, contactIds);
  const naming = (await lockDefinitions(tx, workspaceId)).filter(({ definition }) =>
    definitionNames(definition, who),
  );
  if (naming.length > 0)
    await writeDefinitions(
      tx,
      workspaceId,
      naming.map(({ id, definition }) => ({ id, definition: withoutAddresses(definition, who) })),
    );
  return alone;
}
