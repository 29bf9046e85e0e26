import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
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
