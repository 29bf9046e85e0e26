import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { hashSecret } from "../../api-keys/api-key.ts";
import { AppError } from "../../errors.ts";
import { bearerOf } from "../edge/bearer.ts";
import { isOwnMachine } from "../edge/own-machine.ts";
import { VERSION } from "../../version.ts";
import type { Metrics } from "./metrics.ts";

/** Liveness, readiness and metrics (contract §3). */
export function registerHealth(fastify: FastifyInstance, app: App, metrics: Metrics): void {
  fastify.get("/healthz", async () => ({ status: "ok" }));
  fastify.get("/readyz", async (_request, reply) => {
    const readiness = await app.readiness();
    return reply.code(readiness.ready ? 200 : 503).send({ ...readiness, version: VERSION });
  });
  fastify.get("/metrics", async (request, reply) => {
    if (!mayReadMetrics(app, request)) throw new AppError("ROUTE_NOT_FOUND");
    return reply.type(metrics.contentType).send(await metrics.render());
  });
}

/** Allowed with the token, or from this machine itself. A proxy on it forwards strangers, and says so in a header. */
function mayReadMetrics(app: App, request: FastifyRequest): boolean {
  const token = app.config.metricsToken;
  const given = bearerOf(request);
  if (given !== undefined && token !== undefined)
    return timingSafeEqual(hashSecret(given), hashSecret(token));
  return isOwnMachine(request, app.config.host);
}
