import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { selectOptedOut } from "./consent-store.ts";
import { optedOutNumbers } from "./opted-out-store.ts";

/**
 * Gives those of the numbers that are opted out, and since when. Also finds numbers that no contact has, of which
 * only a hash is kept (`hashUnownedNumbers`).
 */
export async function optedOutAmong(
  context: Pick<Context, "sealer">,
  tx: Tx,
  workspaceId: string,
  phones: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const numbers = phones.map((phone) => ({ workspaceId, phone }));
  const found = await optedOutNumbers(context, tx, numbers);
  return new Map(found.map(({ phone, since }) => [phone, since]));
}

/**
 * The places in `to` of those who opted out: the contact, its number, or the number that is written to, which may be
 * an earlier one of the contact's.
 */
export async function optedOutAddressees(
  context: Pick<Context, "sealer">,
  tx: Tx,
  to: readonly {
    readonly workspaceId: string;
    readonly contactId: string;
    readonly phone: string;
  }[],
): Promise<ReadonlySet<number>> {
  if (to.length === 0) return new Set();
  const [contacts, numbers] = [
    await selectOptedOut(tx, to),
    await optedOutNumbers(context, tx, to),
  ];
  const ids = new Set(contacts.map(({ id }) => id));
  const out = new Set(numbers.map((one) => `${one.workspaceId}/${one.phone}`));
  const stopped = (index: number): boolean => {
    const { workspaceId, contactId, phone } = to[index] ?? {
      workspaceId: "",
      contactId: "",
      phone: "",
    };
    return ids.has(contactId) || out.has(`${workspaceId}/${phone}`);
  };
  return new Set(to.keys().filter(stopped));
}
