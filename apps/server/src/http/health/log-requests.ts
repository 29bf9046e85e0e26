import type { FastifyInstance } from "fastify";
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
        ...request.admitted?.logFields,
        // In an outage that is every request, so the lines are gathered into sums.
        ...(status === 503 && { outage: true, error: "answered 503" }),
      },
      "request",
    );
    done();
  });
}
