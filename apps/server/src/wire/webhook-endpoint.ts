import { Type } from "typebox";
import {
  AT,
  count,
  ID,
  id,
  nullableCount,
  nullableOneOf,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";

const members = {
  id: id("The endpoint."),
  name: nullableText("The name by which a program finds it; one endpoint of a name."),
  url: text("Its address, with what could be a token in it shortened."),
  events: Type.Array(text("A kind of event."), { description: "The kinds it gets; empty: all." }),
  failures: count("Failed attempts in a row."),
  disabledAt: nullableTime("Since when nothing is sent to it. Null: it is enabled."),
  disabledBy: nullableOneOf(
    ["hand", "failures"],
    "What disabled it: a person or a program, or attempts that failed in a row.",
  ),
  secretTakesOverAt: nullableTime("When the secret of the last rotation begins to sign."),
  createdAt: time("When it was added."),
};

export const WebhookEndpointJson = Type.Object(members, {
  $id: "WebhookEndpoint",
  description: "An address that events are sent to.",
});
export type WebhookEndpointJson = Shown<typeof WebhookEndpointJson>;

export const WebhookEndpointPageJson = Type.Object(
  {
    items: Type.Array(WebhookEndpointJson, { description: "Oldest first." }),
    nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "WebhookEndpointPage", description: "Read on with `cursor` until `nextCursor` is null." },
);

export const WebhookEndpointPutJson = Type.Object(
  {
    ...members,
    outcome: oneOf(["created", "updated", "unchanged"], "What the call did."),
    secret: nullableText("Signs the requests. Only the call that creates the endpoint shows it."),
  },
  { $id: "WebhookEndpointPut", description: "The endpoint of that name." },
);

export const WebhookSecretJson = Type.Object(
  { ...members, secret: text("The new secret. It is shown this once.") },
  { $id: "WebhookSecret", description: "The endpoint with its new secret." },
);

const attempt = Type.Object(
  {
    number: count("Which attempt."),
    attemptedAt: time("When."),
    durationMs: count("How long it took, in milliseconds."),
    statusCode: nullableCount("The receiver's status."),
    failure: nullableText(
      "dns, connect, tls, timeout, reset, blocked or status; null: it arrived.",
    ),
    answer: nullableText("What the receiver answered, up to 4 KiB."),
  },
  { $id: "WebhookAttempt", description: "One request." },
);

const deliveryMembers = {
  sequence: count("The event's number."),
  eventId: id("The event: the `webhook-id` of the request."),
  type: text("The kind of event."),
  state: oneOf(
    ["pending", "delivered", "exhausted", "held"],
    "`pending` while tries are left, `exhausted` after the last one, `held` while the endpoint is disabled.",
  ),
  attempts: count("How many were made."),
  nextAttemptAt: nullableTime("The next attempt."),
  deliveredAt: nullableTime("When it arrived."),
  createdAt: time("When the event happened."),
  log: Type.Array(attempt, { description: "The attempts, the first one first." }),
};

export const WebhookDeliveryJson = Type.Object(deliveryMembers, {
  $id: "WebhookDelivery",
  description: "One event for one endpoint.",
});
export type WebhookDeliveryJson = Shown<typeof WebhookDeliveryJson>;

export const WebhookDeliveryPageJson = Type.Object(
  {
    items: Type.Array(WebhookDeliveryJson, { description: "Newest first." }),
    nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
  },
  {
    $id: "WebhookDeliveryPage",
    description:
      "Read on with `cursor` until `nextCursor` is null: a page that looked through many deliveries may have few items.",
  },
);

export const WebhookDeliveryDetailsJson = Type.Object(
  {
    ...deliveryMembers,
    url: text("Where the endpoint is now."),
    body: text("The bytes of the request, the same on each attempt."),
  },
  { $id: "WebhookDeliveryDetails", description: "One delivery with its request." },
);

export const webhookEndpointExample: WebhookEndpointJson = {
  id: ID,
  name: "orders",
  url: "https://shop.example.com/webhooks/parley",
  events: ["message.received"],
  failures: 0,
  disabledAt: null,
  disabledBy: null,
  secretTakesOverAt: null,
  createdAt: AT,
};

export const webhookDeliveryExample: WebhookDeliveryJson = {
  sequence: 1,
  eventId: ID,
  type: "endpoint.test",
  state: "pending",
  attempts: 0,
  nextAttemptAt: AT,
  deliveredAt: null,
  createdAt: AT,
  log: [],
};
