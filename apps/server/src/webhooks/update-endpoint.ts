import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { sqlState, type Tx } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import type { EventKind } from "../wire/words.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import {
  addressPlace,
  checkEndpointUrl,
  checkKinds,
  checkName,
  endpointNotFound,
  nameTaken,
  type Endpoint,
} from "./endpoint.ts";
import { lockEndpoint, updateEndpointRow } from "./endpoint-store.ts";
import { shownAddress } from "./shown-address.ts";

export interface EndpointChange {
  readonly url?: string;
  /** Empty: all kinds. It applies to events from now on. */
  readonly events?: readonly string[];
  /** Null or empty: it has no name. */
  readonly name?: string | null;
}

/** A change whose parts were checked. */
export interface CheckedChange {
  readonly url?: string;
  readonly events?: readonly EventKind[];
  readonly name?: string | null;
}

type ChangeContext = Pick<Context, "db" | "ids" | "clock" | "config" | "sealer">;

/**
 * Changes an endpoint's URL, kinds of events or name. A new URL is checked like the first. Throws VALIDATION_FAILED,
 * NAME_TAKEN, NOT_FOUND.
 */
export const updateEndpoint = write(
  "endpoint.update",
  async (
    actor,
    context: ChangeContext,
    workspaceId: string,
    endpointId: string,
    change: EndpointChange,
  ): Promise<Endpoint> => {
    if (!isId(workspaceId) || !isId(endpointId)) throw endpointNotFound();
    const checked = await checkChange(context, change);
    return context.db.transaction(async (tx) => {
      if (!(await lockEndpoint(tx, workspaceId, { id: endpointId }))) throw endpointNotFound();
      return storeChange(actor, context, tx, workspaceId, endpointId, checked);
    });
  },
);

/** Checks each part of a change. Throws VALIDATION_FAILED. */
export async function checkChange(
  context: Pick<Context, "config">,
  { url, events, name }: EndpointChange,
): Promise<CheckedChange> {
  return {
    ...(events !== undefined && { events: checkKinds(events) }),
    ...(name !== undefined && { name: checkName(name) }),
    ...(url !== undefined && { url: await checkEndpointUrl(context, url) }),
  };
}

/** Stores a checked change of an endpoint that the transaction holds. Throws NAME_TAKEN. */
export async function storeChange(
  actor: Actor,
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  workspaceId: string,
  endpointId: string,
  { url, events, name }: CheckedChange,
): Promise<Endpoint> {
  const address =
    url === undefined
      ? null
      : {
          url: shownAddress(url),
          urlSealed: context.sealer.seal(url, addressPlace(workspaceId, endpointId)),
        };
  const endpoint = await updateEndpointRow(tx, workspaceId, endpointId, {
    address,
    events: events ?? null,
    ...(name !== undefined && { name }),
  }).catch((error: unknown) => {
    // The index of names refused it.
    throw sqlState(error) === "23505" ? nameTaken() : error;
  });
  if (!endpoint) throw endpointNotFound();
  const given = { url, events, name };
  await audit(actor, context, tx, workspaceId, {
    action: "endpoint.updated",
    subject: endpointId,
    facts: {
      changed: Object.entries(given).flatMap(([part, value]) => (value === undefined ? [] : part)),
      events: endpoint.events,
    },
  });
  return endpoint;
}
