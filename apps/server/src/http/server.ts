import Fastify, { type FastifyInstance } from "fastify";
import type { App } from "../app.ts";
import { AppError } from "../errors.ts";
import { registerChat } from "./chat/register-chat.ts";
import { registerWidget } from "./chat/widget.ts";
import { answerError } from "./edge/answer-error.ts";
import { serveRoutes } from "./edge/serve.ts";
import { registerHealth } from "./health/health.ts";
import { withoutRedaction } from "../lib/logger.ts";
import { BodyRoom } from "./hooks/body-room.ts";
import { registerHooks } from "./hooks/platform-hooks.ts";
import { registerSmsHooks } from "./hooks/sms.ts";
import { registerMedia } from "./media/media.ts";
import { createMetrics } from "./health/metrics.ts";
import { registerPages } from "./pages/pages.ts";
import { boundPipelining } from "./connections/pipelined.ts";
import { answerBrokenRequest } from "./connections/broken-request.ts";
import { registerSandbox } from "./sandbox/routes.ts";
import { closeSlowBodies, REQUEST_TIMEOUT_MS } from "./connections/slow-bodies.ts";
import { closeSlowReaders } from "./connections/slow-readers.ts";
import { keyDoor } from "./v1/key-door.ts";
import { registerEventStream } from "./v1/event-stream/register-event-stream.ts";
import { routes } from "./v1/routes.ts";

/** A body is at most this (contract §5, Contacts). */
const BODY_LIMIT = 256 * 1024;
/** Routes whose successes are no news. */
const HEARD = /^\/(?:healthz|readyz|metrics|hooks\/.*)$/;

/** The HTTP side of the app: API, document, pages, health. Not listening yet. */
export async function buildHttp(composed: App): Promise<FastifyInstance> {
  const { db, groupCommit } = composed.forRequests;
  const app: App = { ...composed, db, groupCommit };
  const fastify = Fastify({
    logger: false,
    trustProxy: [...(app.config.trustedProxies ?? [])],
    bodyLimit: BODY_LIMIT,
    // A client that sends its header or body by drops is closed: the library's defaults hold it for a minute.
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Host is asked for below: the library's own answer has no body.
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    genReqId: () => app.ids.next(),
    // Ids of any length and text are "not found", which is the route's to say.
    routerOptions: { maxParamLength: 16_384 },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (_error, request, reply) => {
      // A path that does not decode names no route.
      reply.header("x-request-id", request.id);
      answerError(app, new AppError("ROUTE_NOT_FOUND"), request, reply);
    },
    // While stopping, open connections are served to their end and told to close.
    return503OnClosing: false,
  });
  fastify.removeAllContentTypeParsers();
  boundPipelining(fastify);
  closeSlowBodies(fastify);
  closeSlowReaders(fastify);
  fastify.decorateRequest("admitted", null);
  const metrics = createMetrics(app);
  const requests = withoutRedaction(app.log);

  const known: { readonly method: string; readonly pattern: RegExp }[] = [];
  fastify.addHook("onRoute", ({ method, url }) => {
    const pattern = new RegExp(
      `^${url
        .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
        // Nothing after the last slash is no id.
        .replace(/:\w+$/, "[^/]+")
        .replaceAll(/:\w+/g, "[^/]*")
        .replace("\\*", ".*")}$`,
    );
    // A preflight's route takes whatever lies below it, whether or not it is there.
    for (const one of [method].flat().filter((name) => name !== "OPTIONS"))
      known.push({ method: one, pattern });
  });
  // An expectation nobody knows is let pass (RFC 9110, 10.1.1): the library would answer 417 without a body.
  fastify.server.on("checkExpectation", (request, response) =>
    fastify.server.emit("request", request, response),
  );
  fastify.addHook("onRequest", async (request, reply) => {
    const hostless = request.headers.host === undefined && request.raw.httpVersion === "1.1";
    if (hostless || saysTwice(request.raw.rawHeaders)) {
      reply.hijack();
      answerBrokenRequest(new Error("Host or Authorization"), request.raw.socket);
      return reply;
    }
    reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
    // Before any body is read: what is not there needs neither a credential nor a readable body.
    if (!request.is404) return;
    const path = request.url.split("?", 1)[0] ?? "";
    const allowed = new Set(known.filter((one) => one.pattern.test(path)).map((one) => one.method));
    if (allowed.size === 0) throw new AppError("ROUTE_NOT_FOUND");
    reply.header("allow", [...allowed, "OPTIONS"].sort().join(", "));
    if (request.method === "OPTIONS") return reply.code(204).send();
    throw new AppError("METHOD_NOT_ALLOWED");
  });
  fastify.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    const seconds = reply.elapsedTime / 1000;
    metrics.observe(request.method, route, reply.statusCode, seconds);
    // Probes and platforms that were heard are counted above; a campaign makes three such calls for each message.
    const level = reply.statusCode < 400 && HEARD.test(route) ? "debug" : "info";
    // The route's pattern, not the address: a search term can be a phone number.
    requests[level](
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...request.admitted?.logFields,
        // In an outage that is every request: counted above too, and told in sums.
        ...(reply.statusCode === 503 && { outage: true, error: "answered 503" }),
      },
      "request",
    );
  });
  fastify.setErrorHandler((error, request, reply) => answerError(app, error, request, reply));

  // A worker process listens for its health and metrics only.
  if (app.config.role !== "worker") {
    const api = { prefix: "/api/v1" };
    await fastify.register(async (scope) => serveRoutes(scope, app, keyDoor(app), routes), api);
    await fastify.register(async (scope) => registerEventStream(scope, app), api);
    await fastify.register(async (hooks) => {
      const room = new BodyRoom();
      registerHooks(hooks, app, room);
      registerSmsHooks(hooks, app, room);
    });
    registerMedia(fastify, app);
    await fastify.register(async (chat) => void registerChat(chat, app));
    await fastify.register(async (chat) => registerWidget(chat, app));
    await registerPages(fastify, app);
  }
  registerSandbox(fastify, app);
  registerHealth(fastify, app, metrics);
  await fastify.ready();
  return fastify;
}

/**
 * Whether Host or Authorization stands there more than once: Node takes the first, and what stands before us may have
 * judged by another (RFC 9112, 3.2).
 */
function saysTwice(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  let credentials = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    else if (name.length === 13 && name.toLowerCase() === "authorization") credentials++;
  }
  return hosts > 1 || credentials > 1;
}
