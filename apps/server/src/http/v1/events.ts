import { Type, type Static } from "typebox";

import { readableKinds } from "../../webhooks/event-scopes.ts";
import { readFeed } from "../../webhooks/read-feed.ts";
import type { Call } from "./route.ts";
import { EVENT_KINDS, type EventKind } from "../../wire/words.ts";
import { eventExample } from "../../wire/event.ts";

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
    maxItems: 100,
    description:
      "Only these kinds, separated by commas. When absent: all that the key's scopes allow. A kind whose scope the key lacks is 403.",
    examples: [["message.status", "message.received"]],
  }),
);

export const EventQuery = Type.Object({
  after: Type.Optional(
    Type.Unsafe<number | "latest">({
      anyOf: [
        { type: "integer", minimum: 0 },
        { type: "string", enum: ["latest"] },
      ],
      "x-cap": Number.MAX_SAFE_INTEGER,
      examples: [18_231],
      description:
        "Events after this sequence: `nextAfter` of the page before. `latest`: none; `nextAfter` is the place to read on from, for a program that begins now.",
    }),
  ),
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

export const eventStreamExample = `id: 18231\nevent: message.status\ndata: ${JSON.stringify(eventExample("message.status"))}\n\n`;

/** The bodies are joined as they were stored: the same bytes that a webhook delivers. */
export async function getEvents({
  context,
  principal,
  query,
}: Call<Static<typeof EventQuery>>): Promise<string> {
  const { after } = query;
  const types = readableKinds(principal, query.types);
  // A page of none ends at the latest.
  const place = after === "latest" ? { limit: 0 } : { after, limit: query.limit ?? 100 };
  const page = await readFeed(context, principal.workspaceId, { ...place, types });
  const { events, nextAfter, hasMore, oldestSequence, gap } = page;
  const rest = JSON.stringify({ nextAfter, hasMore, oldestSequence, gap }).slice(1);
  return `{"items":[${events.map((event) => event.body).join(",")}],${rest}`;
}
