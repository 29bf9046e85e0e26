import { audit } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import {
  addressPlace,
  checkEndpointUrl,
  checkKinds,
  endpointNotFound,
  type Endpoint,
} from "./endpoint.ts";
import { updateEndpointRow } from "./endpoint-store.ts";
import { shownAddress } from "./shown-address.ts";
import { write } from "../write.ts";

export interface EndpointChange {
  readonly url?: string;
  /** Empty: all kinds. It applies to events from now on. */
  readonly events?: readonly string[];
}

/**
 * Changes an endpoint's URL or kinds of events. A new URL is checked like the first. Throws VALIDATION_FAILED,
 * NOT_FOUND.
 */
export const updateEndpoint = write(
  "endpoint.update",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "config" | "sealer">,
    workspaceId: string,
    endpointId: string,
    change: EndpointChange,
  ): Promise<Endpoint> => {
    if (!isId(workspaceId) || !isId(endpointId)) throw endpointNotFound(endpointId);
    const events = change.events === undefined ? null : checkKinds(change.events);
    const url = change.url === undefined ? null : await checkEndpointUrl(context, change.url);
    const address =
      url === null
        ? null
        : {
            url: shownAddress(url),
            urlSealed: context.sealer.seal(url, addressPlace(workspaceId, endpointId)),
          };
    return context.db.transaction(async (tx) => {
      const endpoint = await updateEndpointRow(tx, workspaceId, endpointId, { address, events });
      if (!endpoint) throw endpointNotFound(endpointId);
      await audit(actor, context, tx, workspaceId, {
        action: "endpoint.updated",
        subject: endpointId,
        facts: { changed: Object.keys(change), events: endpoint.events },
      });
      return endpoint;
    });
  },
);
