import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { badCursor, cursorOf, cutPage } from "../lib/cut-page.ts";
import { isId, NIL_ID } from "../lib/ids.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { webhookEndpoints } from "../operations/webhooks.ts";
import type { EventKind } from "../wire/words.ts";
import { keeping, perform } from "../write.ts";
import { storeEndpoint } from "./create-endpoint.ts";
import { disableWithin } from "./disable-endpoint.ts";
import { enableWithin } from "./enable-endpoint.ts";
import {
  addressPlace,
  checkEndpointUrl,
  checkKinds,
  checkName,
  endpointNotFound,
  type Endpoint,
} from "./endpoint.ts";
import { lockEndpoint, selectEndpointsAfter } from "./endpoint-store.ts";
import { findDelivery, listDeliveries } from "./list-deliveries.ts";
import { findEndpoint } from "./list-endpoints.ts";
import { presentDelivery, presentEndpoint } from "./present-endpoint.ts";
import { redeliver } from "./redeliver.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { checkChange, storeChange } from "./update-endpoint.ts";

type WriteContext = Pick<Context, "db" | "ids" | "clock" | "config" | "sealer" | "wake">;

/** A page of endpoints. Throws VALIDATION_FAILED for a cursor that no page gave. */
export const listWebhookEndpoints = perform(
  webhookEndpoints.listWebhookEndpoints,
  async (_actor, context: Pick<Context, "db">, workspaceId, { cursor, limit = PAGE_ITEMS }) => {
    const after = cursorOf(cursor) ?? NIL_ID;
    const rows = await selectEndpointsAfter(context.db, workspaceId, after, limit + 1);
    const { items, last } = cutPage(rows, limit);
    return { items: items.map(presentEndpoint), nextCursor: last?.id ?? null };
  },
);

/** One endpoint. Throws NOT_FOUND. */
export const readWebhookEndpoint = perform(
  webhookEndpoints.readWebhookEndpoint,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id }) =>
    presentEndpoint(await findEndpoint(context, workspaceId, id)),
);

/** What an endpoint of a name is to be. */
interface Wanted {
  readonly name: string;
  readonly url: string;
  readonly events: readonly EventKind[];
}

/**
 * Makes the endpoint of a name what the input says. Equal calls at once make one endpoint, and only one of them answers
 * with its secret. Throws VALIDATION_FAILED.
 */
export const putWebhookEndpoint = perform(
  webhookEndpoints.putWebhookEndpoint,
  async (actor, context: WriteContext, workspaceId, input) => {
    const name = checkName(input.name);
    if (name === null) throw invalid("name", "must not be blank");
    const events = checkKinds(input.events ?? []);
    const wanted: Wanted = { name, events, url: await checkEndpointUrl(context, input.url) };
    return context.db.transaction((tx) => putWithin(actor, context, tx, workspaceId, wanted));
  },
);

async function putWithin(
  actor: Actor,
  context: WriteContext,
  tx: Tx,
  workspaceId: string,
  wanted: Wanted,
) {
  const { name, url, events } = wanted;
  for (let tries = 0; tries < 3; tries++) {
    const there = await lockEndpoint(tx, workspaceId, { name });
    if (there) {
      if (isAsWanted(context, there, wanted))
        return { ...presentEndpoint(there), outcome: "unchanged" as const, secret: null };
      const change = { url, events };
      const changed = await storeChange(actor, context, tx, workspaceId, there.id, change);
      return { ...presentEndpoint(changed), outcome: "updated" as const, secret: null };
    }
    const made = await storeEndpoint(actor, context, tx, workspaceId, wanted);
    // Without one, another call has stored it meanwhile.
    if (made) return { ...presentEndpoint(made), outcome: "created" as const, secret: made.secret };
  }
  throw new AppError("OVERLOADED", { retryAfterSeconds: 1 });
}

/** Whether an endpoint has this address and these kinds already. */
function isAsWanted(
  { sealer }: Pick<Context, "sealer">,
  there: Endpoint & { readonly urlSealed: Buffer | null },
  { url, events }: Wanted,
): boolean {
  const { urlSealed, workspaceId, id } = there;
  const present = urlSealed ? sealer.open(urlSealed, addressPlace(workspaceId, id)) : there.url;
  const wanted = new Set<string>(events);
  return (
    present === url &&
    there.events.length === wanted.size &&
    there.events.every((kind) => wanted.has(kind))
  );
}

/** Changes an endpoint, all in one transaction. Throws VALIDATION_FAILED, NAME_TAKEN, NOT_FOUND, VERSION_MISMATCH. */
export const changeWebhookEndpoint = perform(
  webhookEndpoints.changeWebhookEndpoint,
  async (actor, context: WriteContext, workspaceId, { id, enabled, ...change }, { match }) => {
    if (!isId(id)) throw endpointNotFound();
    const checked = await checkChange(context, change);
    const { endpoint, goOn } = await context.db.transaction(async (tx) => {
      const there = await lockEndpoint(tx, workspaceId, { id });
      if (!there) throw endpointNotFound();
      match(presentEndpoint(there));
      const isChanged = Object.keys(checked).length > 0;
      const changed = isChanged
        ? await storeChange(actor, context, tx, workspaceId, id, checked)
        : there;
      // Enabling one that is enabled ends its rest after a failure; without a failure there is nothing to end.
      const isSo = enabled
        ? there.disabledAt === null && there.consecutiveFailures === 0
        : there.disabledAt !== null;
      if (enabled === undefined || isSo) return { endpoint: changed, goOn: async () => {} };
      if (enabled) return enableWithin(actor, context, tx, workspaceId, id);
      const disabled = await disableWithin(actor, context, tx, workspaceId, id);
      return { endpoint: disabled, goOn: async () => {} };
    });
    await goOn();
    return presentEndpoint(endpoint);
  },
);

/** Sends a test event. Throws NOT_FOUND. */
export const testWebhookEndpoint = perform(
  webhookEndpoints.testWebhookEndpoint,
  (actor, context: WriteContext, workspaceId, { id }, { keep }) =>
    keeping(keep, presentDelivery, (within) =>
      sendTestEvent(actor, context, workspaceId, id, within),
    ),
);

/** Makes a new secret. Throws NOT_FOUND. */
export const rotateWebhookSecret = perform(
  webhookEndpoints.rotateWebhookSecret,
  (actor, context: WriteContext, workspaceId, { id, now }, { keep }) =>
    keeping(
      keep,
      (made: Endpoint & { readonly secret: string }) => ({
        ...presentEndpoint(made),
        secret: made.secret,
      }),
      (within) => rotateSecret(actor, context, workspaceId, id, { now, within }),
    ),
);

/**
 * Sends one event again, or all since a time. The answer is kept with the last batch: a repeat after a crash before it
 * goes through the batches again, and sends nothing twice that still waits. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE,
 * VALIDATION_FAILED.
 */
export const redeliverEvents = perform(
  webhookEndpoints.redeliverEvents,
  async (actor, context: WriteContext, workspaceId, { id, ...input }, { keep }) => {
    const which = readRedelivery(input);
    return keeping(
      keep,
      (redelivered: number) => ({ redelivered }),
      (within) => redeliver(actor, context, workspaceId, id, which, undefined, within),
    );
  },
);

/** What is to be sent again. Throws VALIDATION_FAILED unless it is one event or a time. */
function readRedelivery({
  eventId,
  since,
  delivered,
}: {
  readonly eventId?: string;
  readonly since?: string;
  readonly delivered?: boolean;
}) {
  if ((eventId === undefined) === (since === undefined))
    throw invalid("eventId", "either eventId or since must be given");
  if (eventId !== undefined) return { eventId };
  return { since: new Date(since ?? ""), delivered: delivered ?? false };
}

/** A page of deliveries, newest first. Throws NOT_FOUND, and VALIDATION_FAILED for a cursor that no page gave. */
export const listWebhookDeliveries = perform(
  webhookEndpoints.listWebhookDeliveries,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id, cursor, ...filter }) => {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw badCursor();
    const before = cursor === undefined ? undefined : Number(cursor);
    const { items, next } = await listDeliveries(context, workspaceId, id, { ...filter, before });
    return {
      items: items.map(presentDelivery),
      nextCursor: next === null ? null : String(next),
    };
  },
);

/** One delivery with its request. Throws NOT_FOUND. */
export const readWebhookDelivery = perform(
  webhookEndpoints.readWebhookDelivery,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id, eventId }) => {
    const found = await findDelivery(context, workspaceId, id, eventId);
    return { ...presentDelivery(found), url: found.request.url, body: found.request.body };
  },
);
