import { audit } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import {
  addressPlace,
  checkEndpointUrl,
  checkKinds,
  secretPlace,
  type Endpoint,
} from "./endpoint.ts";
import { insertEndpoint } from "./endpoint-store.ts";
import { shownAddress } from "./shown-address.ts";
import { newSecret } from "./sign.ts";
import { write } from "../write.ts";

export interface NewEndpoint {
  readonly url: string;
  /** Left out or empty: all kinds. */
  readonly events?: readonly string[];
}

/**
 * Adds an endpoint. Its URL is checked, the name and every address (contract §5, URL check). The secret is returned
 * only here and after a rotation. URL and secret are stored sealed, and the returned `url` is only what may be shown.
 * Throws VALIDATION_FAILED, and NOT_FOUND for the workspace.
 */
export const createEndpoint = write(
  "endpoint.create",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "sealer" | "config">,
    workspaceId: string,
    input: NewEndpoint,
  ): Promise<Endpoint & { readonly secret: string }> => {
    const events = checkKinds(input.events ?? []);
    const url = await checkEndpointUrl(context, input.url);
    const id = context.ids.next();
    const secret = newSecret();
    const missing = () =>
      new AppError("NOT_FOUND", { explanation: `there is no workspace ${workspaceId}` });
    if (!isId(workspaceId)) throw missing();
    return context.db.transaction(async (tx) => {
      const endpoint = await insertEndpoint(tx, {
        workspaceId,
        id,
        url: shownAddress(url),
        urlSealed: context.sealer.seal(url, addressPlace(workspaceId, id)),
        events,
        secretSealed: context.sealer.seal(secret, secretPlace(workspaceId, id)),
        at: context.clock.now(),
      });
      if (!endpoint) throw missing();
      await audit(actor, context, tx, workspaceId, {
        action: "endpoint.created",
        subject: id,
        facts: { events },
      });
      return { ...endpoint, secret };
    });
  },
);
