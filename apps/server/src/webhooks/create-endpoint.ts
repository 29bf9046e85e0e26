import type { Actor } from "../actor.ts";
import type { Tx } from "../db/database.ts";
import { audit } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import {
  addressPlace,
  checkEndpointUrl,
  checkKinds,
  checkName,
  MOST_ENDPOINTS,
  nameTaken,
  secretPlace,
  type Endpoint,
} from "./endpoint.ts";
import { insertEndpoint, lockEndpoint, lockEndpointCount } from "./endpoint-store.ts";
import { shownAddress } from "./shown-address.ts";
import { newSecret } from "./sign.ts";
import type { EventKind } from "../wire/words.ts";
import { write } from "../write.ts";

export interface NewEndpoint {
  readonly url: string;
  /** Left out or empty: all kinds. */
  readonly events?: readonly string[];
  readonly name?: string | null;
}

type StoreContext = Pick<Context, "ids" | "clock" | "sealer">;

/**
 * Adds an endpoint. Its URL is checked, the name and every address (contract §5, URL check). The secret is returned
 * only here and after a rotation. URL and secret are stored sealed, and the returned `url` is only what may be shown.
 * Throws VALIDATION_FAILED, NAME_TAKEN, and NOT_FOUND for the workspace.
 */
export const createEndpoint = write(
  "endpoint.create",
  async (
    actor,
    context: StoreContext & Pick<Context, "db" | "config">,
    workspaceId: string,
    input: NewEndpoint,
  ): Promise<Endpoint & { readonly secret: string }> => {
    const events = checkKinds(input.events ?? []);
    const name = checkName(input.name ?? null);
    const url = await checkEndpointUrl(context, input.url);
    if (!isId(workspaceId)) throw missing(workspaceId);
    return context.db.transaction(async (tx) => {
      const made = await storeEndpoint(actor, context, tx, workspaceId, { url, events, name });
      if (made) return made;
      const taken = name !== null && (await lockEndpoint(tx, workspaceId, { name }));
      throw taken ? nameTaken() : missing(workspaceId);
    });
  },
);

const missing = (workspaceId: string) =>
  new AppError("NOT_FOUND", { explanation: `there is no workspace ${workspaceId}` });

/**
 * Stores a new endpoint whose parts were checked. Undefined when another endpoint has the name. Throws VALIDATION_FAILED
 * when the workspace has as many as it may.
 */
export async function storeEndpoint(
  actor: Actor,
  context: StoreContext,
  tx: Tx,
  workspaceId: string,
  {
    url,
    events,
    name,
  }: {
    readonly url: string;
    readonly events: readonly EventKind[];
    readonly name: string | null;
  },
): Promise<(Endpoint & { readonly secret: string }) | undefined> {
  if ((await lockEndpointCount(tx, workspaceId)) >= MOST_ENDPOINTS)
    throw invalid("url", `the workspace has ${MOST_ENDPOINTS} endpoints already: delete one`);
  const id = context.ids.next();
  const secret = newSecret();
  const endpoint = await insertEndpoint(tx, {
    workspaceId,
    id,
    name,
    url: shownAddress(url),
    urlSealed: context.sealer.seal(url, addressPlace(workspaceId, id)),
    events,
    secretSealed: context.sealer.seal(secret, secretPlace(workspaceId, id)),
    at: context.clock.now(),
  });
  if (!endpoint) return undefined;
  await audit(actor, context, tx, workspaceId, {
    action: "endpoint.created",
    subject: id,
    facts: { events },
  });
  return { ...endpoint, secret };
}
