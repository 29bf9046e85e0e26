import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import type { Principal } from "../../../api-keys/api-key.ts";
import type { Context } from "../../../context.ts";
import { invalid } from "../../../errors.ts";
import { readableKinds } from "../../../webhooks/event-scopes.ts";
import { lastSequences } from "../../../webhooks/read-feed.ts";
import { answerWithStream, endAtStop } from "../../edge/live-stream.ts";
import { serveOpen, type OpenCall } from "../../edge/serve.ts";
import { EventHub } from "./event-hub.ts";
import type { EventStreamQuery } from "../events.ts";
import { keyDoor } from "../key-door.ts";
import { eventStream } from "../routes.ts";

/**
 * `GET /v1/events/stream`: the feed as server-sent events, with the kinds that the key may read. It is admitted
 * and validated as every route; then the answer stays open.
 */
export function registerEventStream(fastify: FastifyInstance, context: Context): void {
  const hub = new EventHub(context);
  endAtStop(fastify, () => hub.close());
  serveOpen(fastify, context, keyDoor(context), eventStream, (call) => open(context, hub, call));
}

async function open(
  context: Context,
  hub: EventHub,
  { principal, request, reply, ...call }: OpenCall<Principal>,
): Promise<void> {
  const query: Static<typeof EventStreamQuery> = call.query;
  const types = readableKinds(principal, query.types);
  const { workspaceId } = principal;
  const after =
    lastEventId(request) ??
    query.after ??
    (await lastSequences(context, [workspaceId])).get(workspaceId) ??
    0;
  hub.admit(principal);
  hub.add({ principal, types }, after, answerWithStream(request, reply));
}

/** The place where the reader was cut off. It wins over `after`, which a reader that comes back by itself repeats. */
function lastEventId(request: FastifyRequest): number | undefined {
  const given = request.headers["last-event-id"];
  if (given === undefined || given === "") return undefined;
  const number = typeof given === "string" && /^\d{1,15}$/.test(given) ? Number(given) : null;
  if (number === null) throw invalid("Last-Event-ID", "must be an id as the stream gave it");
  return number;
}
