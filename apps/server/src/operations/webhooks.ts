import { Type } from "typebox";
import { eventExample } from "../wire/event.ts";
import { AT, count, ID, NO_NUL, Nothing, oneOf } from "../wire/schema.ts";
import {
  webhookDeliveryExample,
  WebhookDeliveryDetailsJson,
  WebhookDeliveryJson,
  WebhookDeliveryPageJson,
  webhookEndpointExample,
  WebhookEndpointJson,
  WebhookEndpointPageJson,
  WebhookEndpointPutJson,
  WebhookSecretJson,
} from "../wire/webhook-endpoint.ts";
import { EVENT_KINDS } from "../wire/words.ts";
import { anyId, moment } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { ADMINS } from "./roles.ts";

const id = anyId("The endpoint.");
const name = Type.String({
  minLength: 1,
  maxLength: 80,
  ...NO_NUL,
  description: "The endpoint's name, as it is written: one endpoint of a name.",
  examples: ["orders"],
});
const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  ...NO_NUL,
  description: "https, on a public host: every address that the name leads to is checked.",
  examples: [webhookEndpointExample.url],
});
const events = Type.Array(oneOf(EVENT_KINDS, "A kind of event."), {
  maxItems: 100,
  description: "The kinds that it gets. Empty: all kinds, new ones too.",
  examples: [webhookEndpointExample.events],
});
const reading = {
  roles: ADMINS,
  scope: "webhooks:read",
  bots: false,
  trace: null,
  doors: ["app", "v1"],
} as const;
const writing = { roles: ADMINS, scope: "webhooks:write", bots: false, trace: "audit" } as const;
const after = "webhook.put";

/** Receivers of webhooks, their deliveries, and sending again. */
export const webhookEndpoints = {
  listWebhookEndpoints: operation("webhook.all", {
    says: "List the webhook endpoints, oldest first",
    at: "GET /webhook-endpoints",
    input: pageInput("`nextCursor` of the page before: the id of its last endpoint.", ID),
    answer: WebhookEndpointPageJson,
    example: { input: {}, answer: { items: [webhookEndpointExample], nextCursor: null }, after },
    errors: [],
    ...reading,
    doors: ["v1"],
  }),
  putWebhookEndpoint: operation("webhook.put", {
    says: "Create the webhook endpoint of a name, or change it to this",
    more: "For a script that runs at each deployment: the same call again changes nothing, and there is one endpoint with one secret. `secret` is shown by the call that creates the endpoint, and is null afterwards; `POST …/rotate-secret` makes another one. An endpoint that is disabled stays so.",
    at: "PUT /webhook-endpoints/by-name/{name}",
    input: { name, url, events: Type.Optional(events) },
    answer: WebhookEndpointPutJson,
    example: {
      input: {
        name: "orders",
        url: webhookEndpointExample.url,
        events: ["message.received"],
      },
      answer: {
        ...webhookEndpointExample,
        outcome: "created",
        secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
      },
    },
    errors: [],
    ...writing,
    doors: ["v1", "cli"],
  }),
  readWebhookEndpoint: operation("webhook.show", {
    says: "One webhook endpoint",
    at: "GET /webhook-endpoints/{id}",
    input: { id },
    answer: WebhookEndpointJson,
    example: { input: { id: ID }, answer: webhookEndpointExample, after },
    errors: ["NOT_FOUND"],
    versioned: true,
    ...reading,
  }),
  changeWebhookEndpoint: operation("webhook.change", {
    says: "Change a webhook endpoint: address, kinds, name, enabled",
    more: "`enabled` true sends what was held, sets the failures in a row to zero and ends the rest after a failure. The same call twice changes nothing more.",
    at: "PATCH /webhook-endpoints/{id}",
    input: {
      id,
      url: Type.Optional(url),
      events: Type.Optional(events),
      name: Type.Optional(
        Type.Unsafe<string | null>({
          type: ["string", "null"],
          minLength: 1,
          maxLength: 80,
          ...NO_NUL,
          description: "Another name; null: none.",
          examples: ["orders"],
        }),
      ),
      enabled: Type.Optional(
        Type.Boolean({ description: "False: nothing is sent, and events are held for 30 days." }),
      ),
    },
    answer: WebhookEndpointJson,
    example: {
      input: { id: ID, events: [] },
      answer: { ...webhookEndpointExample, events: [] },
      after,
    },
    errors: ["NOT_FOUND", "NAME_TAKEN"],
    versioned: true,
    ...writing,
    doors: ["v1"],
  }),
  deleteWebhookEndpoint: operation("webhook.delete", {
    says: "Delete a webhook endpoint, with what waits for it",
    more: "Its events stay in the feed. A request that is under way ends; nothing else is sent.",
    at: "DELETE /webhook-endpoints/{id}",
    input: { id },
    answer: Nothing,
    example: { input: { id: ID }, answer: {}, after },
    errors: ["NOT_FOUND"],
    versioned: true,
    ...writing,
    doors: ["app", "v1", "cli"],
  }),
  testWebhookEndpoint: operation("webhook.try", {
    says: "Send a webhook endpoint an `endpoint.test` event",
    more: "It goes to this endpoint alone, whatever kinds it gets. The delivery is `held` while the endpoint is disabled; `GET …/deliveries/{eventId}` shows how it ended.",
    at: "POST /webhook-endpoints/{id}/test",
    input: { id },
    answer: WebhookDeliveryJson,
    example: { input: { id: ID }, answer: webhookDeliveryExample, after },
    errors: ["NOT_FOUND"],
    status: 202,
    ...writing,
    doors: ["app", "v1"],
  }),
  rotateWebhookSecret: operation("webhook.rotate", {
    says: "Give a webhook endpoint a new secret",
    more: "It takes over in 24 hours, or at once with `now`. Until then the secret before it signs, and `webhook-signature` carries both, so a receiver that accepts both misses nothing. Each call makes another secret: one with `now` after one without makes a third, and a receiver that has only the first two refuses what it signs. It also replaces a secret that has not taken over yet.",
    at: "POST /webhook-endpoints/{id}/rotate-secret",
    input: {
      id,
      now: Type.Optional(
        Type.Boolean({
          description: "True: it signs at once, for a secret that others have seen.",
        }),
      ),
    },
    answer: WebhookSecretJson,
    example: {
      input: { id: ID },
      answer: {
        ...webhookEndpointExample,
        secretTakesOverAt: "2026-11-22T10:00:00.000Z",
        secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
      },
      after,
    },
    errors: ["NOT_FOUND"],
    secret: true,
    proven: true,
    status: 201,
    ...writing,
    doors: ["app", "v1"],
  }),
  redeliverEvents: operation("webhook.send_again", {
    says: "Send events to a webhook endpoint again",
    more: "One event in any state by `eventId`, or with `since` all that failed: those whose tries are exhausted, and those that wait for a later try. With `delivered` also those that arrived. Each begins a new round of tries. An endpoint that failed rests for at most two minutes first; `PATCH` with `enabled` true ends its rest. Events are kept for 30 days. 409 `NOT_ALLOWED_IN_STATE` while the endpoint is disabled: enable it, which also sends what is held.",
    at: "POST /webhook-endpoints/{id}/redeliver",
    input: {
      id,
      eventId: Type.Optional(anyId("The event: the `webhook-id` of its request.")),
      since: Type.Optional(moment("The time from which on events are sent again.")),
      delivered: Type.Optional(
        Type.Boolean({ description: "With `since`: also those that arrived." }),
      ),
    },
    answer: Type.Object(
      { redelivered: count("How many are in line to be sent again.") },
      { $id: "Redelivered", description: "They are on their way." },
    ),
    example: { input: { id: ID, since: AT }, answer: { redelivered: 0 }, after },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    status: 202,
    ...writing,
    doors: ["app", "v1"],
  }),
  listWebhookDeliveries: operation("webhook.list_deliveries", {
    says: "List the deliveries of a webhook endpoint, newest first",
    at: "GET /webhook-endpoints/{id}/deliveries",
    input: {
      id,
      state: Type.Optional(
        oneOf(
          ["pending", "delivered", "exhausted", "held"],
          "Only deliveries in this state.",
          "exhausted",
        ),
      ),
      type: Type.Optional(oneOf(EVENT_KINDS, "Only this kind of event.", "message.status")),
      ...pageInput("`nextCursor` of the page before.", "18231"),
    },
    answer: WebhookDeliveryPageJson,
    example: {
      input: { id: ID },
      answer: { items: [webhookDeliveryExample], nextCursor: null },
    },
    errors: ["NOT_FOUND"],
    ...reading,
  }),
  readWebhookDelivery: operation("webhook.show_delivery", {
    says: "One delivery, with its request and every attempt",
    at: "GET /webhook-endpoints/{id}/deliveries/{eventId}",
    input: { id, eventId: anyId("The event: the `webhook-id` of its request.") },
    answer: WebhookDeliveryDetailsJson,
    example: {
      input: { id: ID, eventId: ID },
      answer: {
        ...webhookDeliveryExample,
        url: webhookEndpointExample.url,
        body: JSON.stringify({ ...eventExample("endpoint.test"), sequence: 1 }),
      },
    },
    errors: ["NOT_FOUND"],
    ...reading,
  }),
} as const;
