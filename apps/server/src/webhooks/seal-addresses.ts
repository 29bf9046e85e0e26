import type { Context } from "../context.ts";
import { addressPlace } from "./endpoint.ts";
import { lockUnsealed, writeSealedAddress } from "./endpoint-store.ts";
import { shownAddress } from "./shown-address.ts";

const BATCH = 100;

/**
 * Seals the addresses of up to a hundred endpoints that an older version stored unsealed. Returns how many. Once all
 * are sealed, there is nothing more to do: new addresses are stored sealed.
 */
export function sealAddresses(context: Pick<Context, "db" | "sealer">): Promise<number> {
  return context.db.transaction(async (tx) => {
    const rows = await lockUnsealed(tx, BATCH);
    await writeSealedAddress(
      tx,
      rows.map(({ workspaceId, id, url }) => ({
        workspaceId,
        id,
        url: shownAddress(url),
        urlSealed: context.sealer.seal(url, addressPlace(workspaceId, id)),
      })),
    );
    return rows.length;
  });
}
