import { Type, type Static } from "typebox";
import { EVENT_KINDS, type EventKind } from "../../webhooks/event.ts";
import { readableKinds } from "../../webhooks/event-scopes.ts";
import { readFeed } from "../../webhooks/read-feed.ts";
import type { Call } from "./route.ts";
import { AT, ID, ref } from "./shapes.ts";

const after = Type.Optional(
  Type.Integer({
    minimum: 0,
    "x-cap": Number.MAX_SAFE_INTEGER,
    examples: [18_231],
    description: "Events after this sequence: `nextAfter` of the page before.",
  }),
);
const types = Type.Optional(
  Type.Array(Type.Unsafe<EventKind>({ type: "string", enum: [...EVENT_KINDS] }), {
    description:
      "Only these kinds, separated by commas. When absent: all that the key's scopes allow. A kind whose scope the key lacks is 403.",
    examples: [["message.status", "message.received"]],
  }),
);

export const EventQuery = Type.Object({
  after,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 100,
      "x-cap": 500,
      description: "How many at most. Above 500 acts as 500.",
      examples: [100],
    }),
  ),
  types,
});

export const EventStreamQuery = Type.Object({ after, types });

export const EventPage = Type.Object(
  {
    items: Type.Array(ref("Event"), { description: "In the order of their sequence." }),
    nextAfter: Type.Integer({
      description:
        "Give it as `after` to read on, now or later. With `types` it may lie after the last item.",
    }),
    hasMore: Type.Boolean({ description: "Whether there is more to read now." }),
    oldestSequence: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description: "The oldest event that is kept. Events are kept for 30 days.",
    }),
    gap: Type.Boolean({
      description:
        "True when events after `after` are no longer kept, or `after` was never given out: the page does not continue from there.",
    }),
  },
  { $id: "EventPage", description: "A piece of the feed." },
);

export const messageContactExample = {
  id: ID,
  name: "Sara Haddad",
  phone: "201001234567",
  externalId: "201001234567",
};
export const eventExample = {
  id: ID,
  type: "message.status",
  apiVersion: "1.0.0",
  createdAt: AT,
  workspaceId: ID,
  sequence: 18_231,
  data: {
    messageId: ID,
    conversationId: ID,
    contactId: ID,
    channelId: ID,
    channelType: "WHATSAPP",
    contact: messageContactExample,
    previousStatus: "sent",
    status: "failed",
    errorCode: "131026",
    errorMessage: "Message undeliverable",
    occurredAt: AT,
  },
};
export const eventPageExample = {
  items: [eventExample],
  nextAfter: 18_231,
  hasMore: false,
  oldestSequence: 1,
  gap: false,
};
export const eventStreamExample = `id: 18231\nevent: message.status\ndata: ${JSON.stringify(eventExample)}\n\n`;

/** The bodies are joined as they were stored: what is read here is what a webhook delivers, byte for byte. */
export async function getEvents({
  context,
  principal,
  query,
}: Call<Static<typeof EventQuery>>): Promise<string> {
  const page = await readFeed(context, principal.workspaceId, {
    after: query.after,
    limit: query.limit ?? 100,
    types: readableKinds(principal, query.types),
  });
  const { events, nextAfter, hasMore, oldestSequence, gap } = page;
  const rest = JSON.stringify({ nextAfter, hasMore, oldestSequence, gap }).slice(1);
  return `{"items":[${events.map((event) => event.body).join(",")}],${rest}`;
}
