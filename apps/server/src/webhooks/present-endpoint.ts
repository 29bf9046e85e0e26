import type { WebhookDeliveryJson, WebhookEndpointJson } from "../wire/webhook-endpoint.ts";
import { DISABLED_BY_HAND, type Endpoint } from "./endpoint.ts";
import type { Delivery } from "./list-deliveries.ts";

/** An endpoint as the doors show it. */
export function presentEndpoint(endpoint: Endpoint): WebhookEndpointJson {
  const { id, name, url, events, consecutiveFailures, disabledReason } = endpoint;
  return {
    id,
    name,
    url,
    events: [...events],
    failures: consecutiveFailures,
    disabledAt: endpoint.disabledAt?.toISOString() ?? null,
    disabledBy:
      disabledReason === null ? null : disabledReason === DISABLED_BY_HAND ? "hand" : "failures",
    secretTakesOverAt: endpoint.secretTakesOverAt?.toISOString() ?? null,
    createdAt: endpoint.createdAt.toISOString(),
  };
}

/** A delivery as the doors show it. */
export function presentDelivery(delivery: Delivery): WebhookDeliveryJson {
  const { sequence, eventId, type, state, attempts, log } = delivery;
  return {
    sequence,
    eventId,
    type,
    state,
    attempts,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
    log: log.map((one) => ({ ...one })),
  };
}
