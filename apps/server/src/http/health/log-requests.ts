import type { FastifyInstance, FastifyRequest } from "fastify";
import { proxyRequestId } from "../edge/client-address.ts";
import type { Context } from "../../context.ts";
import { withoutRedaction } from "../../lib/logger.ts";
import type { Metrics } from "./metrics.ts";

/** Routes whose successes are not logged: probes, and calls of platforms (a campaign causes three for each message). */
const QUIET = /^\/(?:healthz|readyz|metrics|hooks\/.*)$/;

/** Counts every request that was answered and writes one line about it. */
export function logRequests(
  fastify: FastifyInstance,
  { log }: Pick<Context, "log">,
  metrics: Metrics,
): void {
  const requests = withoutRedaction(log);
  fastify.addHook("onResponse", (request, reply, done) => {
    // The route's pattern, not the address: a search term can be a phone number.
    const route = request.routeOptions.url ?? "none";
    const { statusCode: status, elapsedTime } = reply;
    metrics.observe(request.method, route, status, elapsedTime / 1000);
    const level = status < 400 && QUIET.test(route) ? "debug" : "info";
    requests[level](
      {
        requestId: request.id,
        method: request.method,
        route,
        status,
        ms: Math.round(elapsedTime * 10) / 10,
        ...idOfProxy(request),
        ...workspaceOf(request),
        ...request.admitted?.logFields,
        // In an outage that is every request, so the lines are gathered into sums.
        ...(status === 503 && { outage: true, error: "answered 503" }),
      },
      "request",
    );
    done();
  });
}

/** Under which id a trusted proxy logged the request. */
function idOfProxy(request: FastifyRequest): { readonly proxyRequestId?: string } {
  const id = proxyRequestId(request);
  return id === null ? {} : { proxyRequestId: id };
}

/** The workspace of a platform's, a gateway's or a visitor's call. Doors name theirs in `logFields`. */
function workspaceOf({ hook, smsAccount, chat }: FastifyRequest): { readonly workspace?: string } {
  const found = hook?.account ?? smsAccount ?? chat;
  return found ? { workspace: found.workspaceId } : {};
}
