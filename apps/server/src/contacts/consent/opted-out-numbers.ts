import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { optedOutNumbers } from "./opted-out-store.ts";

/**
 * Gives the opted-out ones among these numbers, and since when. Finds numbers that no contact has too; only their
 * hash is kept (`hashUnownedNumbers`).
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
