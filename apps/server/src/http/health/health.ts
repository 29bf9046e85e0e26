import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { hashSecret } from "../../api-keys/api-key.ts";
import { AppError } from "../../errors.ts";
import { bearerOf } from "../edge/bearer.ts";
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

/** A proxy names its client in one of these headers. */
const PROXY_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

/** This machine under its own names. A foreign name that leads here, in a browser on this machine, reads nothing. */
const OWN_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Allowed with the token, or from this machine itself. A proxy on it forwards strangers, and says so in a header. */
function mayReadMetrics(app: App, request: FastifyRequest): boolean {
  const token = app.config.metricsToken;
  const given = bearerOf(request);
  if (given !== undefined && token !== undefined)
    return timingSafeEqual(hashSecret(given), hashSecret(token));
  const forwarded = PROXY_HEADERS.some((name) => request.headers[name] !== undefined);
  const address = request.socket.remoteAddress ?? "";
  const host = request.headers.host ?? "";
  const own = OWN_HOST.test(host) || host.split(":", 1)[0] === app.config.host;
  return own && !forwarded && /^(127\.|::1$|::ffff:127\.)/.test(address);
}
