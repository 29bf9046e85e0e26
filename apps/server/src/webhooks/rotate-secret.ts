import { audit } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import { endpointNotFound, secretPlace, TAKE_OVER_MS, type Endpoint } from "./endpoint.ts";
import { replaceSecret } from "./endpoint-store.ts";
import { newSecret } from "./sign.ts";
import { write } from "../write.ts";

/**
 * Gives the endpoint a new secret, which is returned only here. It takes over in 24 hours, or at once with `now`. Until
 * then the secret before it signs, and `webhook-signature` carries both, so a receiver that accepts both misses nothing
 * (contract §5, Secret rotation). Another rotation within that time replaces the secret that is still waiting. Throws
 * NOT_FOUND.
 */
export const rotateSecret = write(
  "endpoint.rotate_secret",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "sealer">,
    workspaceId: string,
    endpointId: string,
    options: {
      readonly now?: boolean | undefined;
      /** Runs in the transaction, before its commit. */
      readonly within?: (tx: Tx, made: Endpoint & { readonly secret: string }) => Promise<void>;
    } = {},
  ): Promise<Endpoint & { readonly secret: string; readonly secretTakesOverAt: Date }> => {
    if (!isId(workspaceId) || !isId(endpointId)) throw endpointNotFound();
    const secret = newSecret();
    const now = context.clock.now();
    const later = new Date(now.getTime() + TAKE_OVER_MS);
    const sealed = context.sealer.seal(secret, secretPlace(workspaceId, endpointId));
    const takesOverAt = options.now ? null : later;
    const endpoint = await context.db.transaction(async (tx) => {
      const times = { now, takesOverAt };
      const changed = await replaceSecret(tx, workspaceId, endpointId, sealed, times);
      if (!changed) throw endpointNotFound();
      await audit(actor, context, tx, workspaceId, {
        action: "endpoint.secret_rotated",
        subject: endpointId,
        facts: { takesOverAt: takesOverAt ?? now },
      });
      await options.within?.(tx, { ...changed, secret });
      return changed;
    });
    return { ...endpoint, secret, secretTakesOverAt: endpoint.secretTakesOverAt ?? now };
  },
);
