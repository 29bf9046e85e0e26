import Fastify, { type FastifyInstance } from "fastify";
import type { App } from "../app.ts";
import { AppError } from "../errors.ts";
import { registerChat } from "./chat/register-chat.ts";
import { registerWidget } from "./chat/widget.ts";
import { answerError } from "./edge/answer-error.ts";
import { dropForwardedPorts } from "./edge/client-address.ts";
import { refuseUnknownHosts } from "./edge/known-host.ts";
import { watchPressure } from "../lib/pressure.ts";
import { boundRequests, RequestRoom, ROOM_LIMITS } from "./edge/request-room.ts";
import { refuseUnknown } from "./edge/refuse-unknown.ts";
import { serveRoutes } from "./edge/serve.ts";
import { registerHealth } from "./health/health.ts";
import { BodyRoom } from "./hooks/body-room.ts";
import { registerHooks } from "./hooks/platform-hooks.ts";
import { registerBotTurns } from "./hooks/bot-turns.ts";
import { registerSmsHooks } from "./hooks/sms.ts";
import { registerMcp } from "./mcp/register-mcp.ts";
import { registerMedia } from "./media/media.ts";
import { logRequests } from "./health/log-requests.ts";
import { createMetrics } from "./health/metrics.ts";
import { registerPages } from "./pages/pages.ts";
import { boundPipelining } from "./connections/pipelined.ts";
import { answerBrokenRequest } from "./connections/broken-request.ts";
import { refuseAmbiguous, SERVER_NAMED } from "./connections/refuse-ambiguous.ts";
import { registerSandboxRoutes } from "./sandbox/routes.ts";
import { closeSlowBodies, REQUEST_TIMEOUT_MS } from "./connections/slow-bodies.ts";
import { closeSlowReaders } from "./connections/slow-readers.ts";
import { registerDashboardPages } from "./dashboard/pages.ts";
import { memberDoor } from "./dashboard/member-door.ts";
import { registerContactExport, registerPersonExport } from "./dashboard/contact-jobs.ts";
import { registerKnowledgeUploads } from "./dashboard/knowledge.ts";
import { registerImportUploads, registerRefusedRows } from "./dashboard/imports.ts";
import { registerMemberFiles, registerUploads } from "./dashboard/thread.ts";
import { DeskHints } from "./dashboard/stream/desk-hints.ts";
import { tellingRoutes } from "./dashboard/stream/telling-routes.ts";
import { registerRecipientsFile } from "./dashboard/export-campaign.ts";
import { registerStream } from "./dashboard/stream/register-stream.ts";
import { dashboardRoutes } from "./dashboard/routes.ts";
import { keyDoor } from "./v1/key-door.ts";
import { registerRecipientsDownload } from "./v1/recipients-file.ts";
import { registerEventStream } from "./v1/event-stream/register-event-stream.ts";
import { registerExportFile } from "./v1/export-file.ts";
import { registerPersonFile } from "./v1/person-file.ts";
import { mediaAddressRoute, registerMediaFiles } from "./v1/media-files.ts";
import { registerImportFiles } from "./v1/import-files.ts";
import { routes } from "./v1/routes.ts";

/** The largest body (contract §5, Contacts). */
const BODY_LIMIT = 256 * 1024;

/**
 * The HTTP side of the app: API, document, pages, health. Not listening yet. `dashboard` is the folder of its built pages;
 * without one `/` says where the API and the documents are.
 */
export async function buildHttp(
  composed: App,
  dashboard: string | null = null,
): Promise<FastifyInstance> {
  const { db, groupCommit } = composed.forRequests;
  const app: App = { ...composed, db, groupCommit };
  const fastify = newServer(app);
  boundPipelining(fastify);
  closeSlowBodies(fastify);
  closeSlowReaders(fastify);
  refuseAmbiguous(fastify);
  fastify.decorateRequest("admitted", null);
  fastify.addHook("onRequest", (request, reply, done) => {
    reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
    done();
  });
  dropForwardedPorts(fastify);
  refuseUnknownHosts(fastify, app.config);
  if (app.config.publicUrl.startsWith("https://")) keepToHttps(fastify);
  refuseUnknown(fastify, dashboard !== null && app.config.role !== "worker");
  const watching = new AbortController();
  fastify.addHook("onClose", async () => watching.abort());
  const pressure = app.pressure ?? watchPressure(watching.signal);
  const room = new RequestRoom(app.config.requestRoom ?? ROOM_LIMITS, pressure);
  boundRequests(fastify, room);
  const metrics = createMetrics(app, room);
  logRequests(fastify, app, metrics);
  fastify.setErrorHandler((error, request, reply) => answerError(app, error, request, reply));

  // A worker process listens for its health and metrics only.
  if (app.config.role !== "worker") {
    const api = { prefix: "/api/v1" };
    const plain = routes.filter((one) => one !== mediaAddressRoute);
    const hints = new DeskHints(app);
    const telling = tellingRoutes(plain, hints);
    await fastify.register(async (scope) => serveRoutes(scope, app, keyDoor(app), telling), api);
    await fastify.register(async (scope) => registerMediaFiles(scope, app), api);
    await fastify.register(async (scope) => registerEventStream(scope, app), api);
    await fastify.register(async (scope) => registerRecipientsDownload(scope, app), api);
    await fastify.register(async (scope) => registerMcp(scope, app));
    await fastify.register(async (scope) => registerImportFiles(scope, app), api);
    await fastify.register(async (scope) => registerExportFile(scope, app), api);
    await fastify.register(async (scope) => registerPersonFile(scope, app), api);
    const pages = tellingRoutes(dashboardRoutes, hints);
    await fastify.register(async (scope) => serveRoutes(scope, app, memberDoor(app), pages), {
      prefix: "/api/app",
    });
    for (const register of [
      registerUploads,
      registerMemberFiles,
      registerImportUploads,
      registerKnowledgeUploads,
      registerRefusedRows,
    ])
      await fastify.register(async (scope) => register(scope, app), { prefix: "/api/app" });
    await fastify.register(async (scope) => registerStream(scope, app, hints), {
      prefix: "/api/app",
    });
    await fastify.register(async (scope) => registerRecipientsFile(scope, app), {
      prefix: "/api/app",
    });
    for (const register of [registerContactExport, registerPersonExport])
      await fastify.register(async (scope) => register(scope, app), { prefix: "/api/app" });
    await fastify.register(async (hooks) => {
      const room = new BodyRoom();
      registerHooks(hooks, app, room);
      registerSmsHooks(hooks, app, room);
      registerBotTurns(hooks, app, room);
    });
    registerMedia(fastify, app);
    await fastify.register(async (chat) => void registerChat(chat, app));
    await fastify.register(async (chat) => registerWidget(chat, app));
    await registerPages(fastify, app, { first: dashboard === null });
    if (dashboard !== null) registerDashboardPages(fastify, app, dashboard);
  }
  registerSandboxRoutes(fastify, app);
  registerHealth(fastify, app, metrics);
  await fastify.ready();
  return fastify;
}

function newServer(app: App): FastifyInstance {
  const fastify = Fastify({
    logger: false,
    trustProxy: [...(app.config.trustedProxies ?? [])],
    bodyLimit: BODY_LIMIT,
    // A client that trickles its header or body is closed: the library's defaults hold it for a minute.
    requestTimeout: REQUEST_TIMEOUT_MS,
    // `refuseAmbiguous` checks Host: the library's own answer has no body.
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    genReqId: () => app.ids.next(),
    // An id of any length and text is "not found", which the route decides.
    routerOptions: { maxParamLength: 16_384 },
    // Proxies may name the server in the first line, which a server must accept (RFC 9112, 3.2.2).
    rewriteUrl: ({ url = "/" }) => url.replace(SERVER_NAMED, "").replace(/^(?!\/)/, "/"),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (_error, request, reply) => {
      // A path that cannot be decoded names no route.
      reply.header("x-request-id", request.id);
      answerError(app, new AppError("ROUTE_NOT_FOUND"), request, reply);
    },
    // While stopping, open connections are served to their end and told to close.
    return503OnClosing: false,
  });
  fastify.removeAllContentTypeParsers();
  // An unknown expectation passes (RFC 9110, 10.1.1): the library would answer 417 without a body.
  fastify.server.on("checkExpectation", (request, response) =>
    fastify.server.emit("request", request, response),
  );
  return fastify;
}

/** Every answer of an installation behind TLS says so, those of the API and of files too (RFC 6797). */
function keepToHttps(fastify: FastifyInstance): void {
  fastify.addHook("onRequest", (_request, reply, done) => {
    reply.header("strict-transport-security", "max-age=31536000; includeSubDomains");
    done();
  });
}
