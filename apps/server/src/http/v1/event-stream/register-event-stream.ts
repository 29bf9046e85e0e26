import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import type { Context } from "../../../context.ts";
import { AppError, invalid } from "../../../errors.ts";
import { readableKinds } from "../../../webhooks/event-scopes.ts";
import { lastSequences } from "../../../webhooks/read-feed.ts";
import { answerWithStream } from "../../edge/live-stream.ts";
import { queryOf } from "../../edge/read-query.ts";
import { queryCheck } from "../../edge/validation.ts";
import { EVENT_HUB_LIMITS, EventHub, type EventHubLimits } from "./event-hub.ts";
import { EventStreamQuery } from "../events.ts";
import { admit } from "../register-api.ts";
import { eventStream } from "../routes.ts";

/**
 * `GET /v1/events/stream`: the feed as server-sent events, of the kinds that the key may read. Credential, rate, scope and validation as on every route;
 * then the answer stays open. Gives the hub of this process's streams.
 */
export function registerEventStream(
  fastify: FastifyInstance,
  context: Context,
  limits: EventHubLimits = EVENT_HUB_LIMITS,
): EventHub {
  const hub = new EventHub(context, limits);
  const check = queryCheck(EventStreamQuery);
  // Before connections are waited for: a stream would hold the stop for as long as it may.
  fastify.addHook("preClose", (done) => {
    hub.close();
    done();
  });
  fastify.route({
    method: eventStream.method,
    url: eventStream.path,
    // HEAD would wait for the end of the stream.
    exposeHeadRoute: false,
    onRequest: (request, reply) => admit(context, eventStream, request, reply),
    handler: async (request, reply) => {
      const { principal } = request;
      if (!principal) throw new Error("a route without a proven credential");
      const { value, faults } = check(queryOf(request));
      if (faults.length > 0) throw new AppError("VALIDATION_FAILED", { details: faults });
      const query: Static<typeof EventStreamQuery> = value;
      const types = readableKinds(principal, query.types);
      const { workspaceId } = principal;
      const after =
        lastEventId(request) ??
        query.after ??
        (await lastSequences(context, [workspaceId])).get(workspaceId) ??
        0;
      hub.admit(principal);
      hub.add({ principal, types }, after, answerWithStream(request, reply));
    },
  });
  return hub;
}

/** Where the reader was cut off. It stands above `after`, which a reader that comes back by itself repeats. */
function lastEventId(request: FastifyRequest): number | undefined {
  const given = request.headers["last-event-id"];
  if (given === undefined || given === "") return undefined;
  const number = typeof given === "string" && /^\d{1,15}$/.test(given) ? Number(given) : null;
  if (number === null) throw invalid("Last-Event-ID", "must be an id as the stream gave it");
  return number;
}
