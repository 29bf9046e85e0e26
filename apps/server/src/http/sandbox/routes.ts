import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { SandboxLine } from "../../lib/sandbox-slot.ts";
import { findRunner } from "../../sandbox/sandbox-keeper.ts";
import { findPhone } from "../../sandbox/list-lines.ts";
import { isSandboxToken } from "../../sandbox/sandbox-token.ts";
import { bearerOf } from "../edge/bearer.ts";
import { errorAnswer } from "../edge/errors.ts";
import { answerOnce, readIdempotencyKey } from "../edge/idempotency.ts";
import { answerWithStream, endAtStop } from "../edge/live-stream.ts";
import { bytesOf, isJson, bufferBytes } from "../edge/read-body.ts";
import { pathOf } from "../edge/door.ts";
import { readJson } from "../../read-json.ts";
import { queryOf } from "../edge/read-query.ts";
import { faultless } from "../edge/validation.ts";
import { PASSED_ON, passOn } from "./forward.ts";
import {
  checkThread,
  readAct,
  readFault,
  readMagic,
  readSay,
  SAY_LIMIT,
  whole,
  word,
} from "./shapes.ts";
import { streamLine } from "./stream.ts";

/** How many phones may listen at once, for all sandbox channels of the process. */
const MOST_STREAMS = 200;

/** Longer than the time until the next look for new channels, and than a platform takes to start. */
const TO_COME_MS = 4_000;

interface LineRoute {
  Params: { id: string };
}
type Handler = (
  line: SandboxLine,
  request: FastifyRequest<LineRoute>,
  reply: FastifyReply,
) => Promise<unknown>;

/**
 * `/sandbox/v1/{id}/…`: plays the customers of one sandbox channel (docs/sandbox.md). `Authorization: Bearer` is
 * the channel's sandbox token, which `parley sandbox add` and `list` print. It opens only that channel's
 * customers, so a phone screen on another machine can have it, where an API key would open the whole workspace.
 * For the same reason it is not limited to loopback. The process that runs the sandbox serves it; the others pass
 * the call on. A POST runs once under an `Idempotency-Key`.
 */
export function registerSandboxRoutes(fastify: FastifyInstance, context: Context): void {
  const streams = new Set<() => void>();
  endAtStop(fastify, () => {
    for (const end of streams) end();
  });
  void fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    bufferBytes(scope);
    const route = (method: "GET" | "POST" | "DELETE", path: string, handler: Handler) =>
      scope.route<LineRoute>({
        method,
        url: `/sandbox/v1/:id${path}`,
        exposeHeadRoute: false,
        ...(path === "/say" && { bodyLimit: SAY_LIMIT }),
        onRequest: async (request, reply) => admit(context, request, reply),
        handler: (request, reply) => serve(context, handler, request, reply),
      });
    route("GET", "/thread", async (line, request) => {
      const query = threadQuery(request);
      return { messages: line.thread({ ...query, limit: query.limit ?? 100 }) };
    });
    route("GET", "/stream", async (line, request, reply) => {
      if (streams.size >= MOST_STREAMS) throw new AppError("OVERLOADED", { retryAfterSeconds: 5 });
      const query = threadQuery(request);
      const end = streamLine(line, query, answerWithStream(request, reply));
      streams.add(end);
      reply.raw.on("close", () => streams.delete(end));
    });
    route("POST", "/say", async (line, request, reply) => {
      const said = await line.say(readSay(bodyOf(request)));
      void reply.code(said.takenIn ? 201 : 202);
      return said;
    });
    route("POST", "/act", async (line, request) => {
      const { customer, action } = readAct(bodyOf(request));
      line.act(customer, action);
      return { done: true };
    });
    route("GET", "/faults", async (line) => ({ type: line.type, waiting: line.faultCount }));
    route("POST", "/faults", async (line, request) => {
      line.setFault(readFault(bodyOf(request)));
      return { type: line.type, waiting: line.faultCount };
    });
    route("DELETE", "/faults", async (line) => {
      line.clearFaults();
      return { type: line.type, waiting: 0 };
    });
    route("POST", "/magic", async (line, request) => {
      const on = readMagic(bodyOf(request));
      line.setMagic(on);
      return { type: line.type, magic: on };
    });
    route("POST", "/remember", async (line) => {
      await line.remember();
      return { done: true };
    });
    done();
  });
}

async function admit(
  context: Context,
  request: FastifyRequest<LineRoute>,
  reply: FastifyReply,
): Promise<void> {
  void reply.header("cache-control", "no-store");
  if (!request.headers.authorization) throw new AppError("MISSING_API_KEY");
  if (!isSandboxToken(context, request.params.id, bearerOf(request) ?? ""))
    throw new AppError("INVALID_API_KEY");
}

async function serve(
  context: Context,
  handler: Handler,
  request: FastifyRequest<LineRoute>,
  reply: FastifyReply,
): Promise<unknown> {
  const { id } = request.params;
  const answer = request.method === "POST" ? underKey(context, handler) : handler;
  const line = context.sandbox.desk?.line(id);
  if (line) return answer(line, request, reply);
  // The token fits, but the id names nothing: the channel was disconnected.
  await findPhone(context, id);
  if (context.sandbox.desk === null && request.headers[PASSED_ON] === undefined) {
    const address = await findRunner(context);
    if (address === null) throw new AppError("OVERLOADED", { retryAfterSeconds: 1 });
    return passOn(address, request, reply);
  }
  const added = await lineToCome(context, id, reply);
  if (added === null) throw new AppError("OVERLOADED", { retryAfterSeconds: 1 });
  return answer(added, request, reply);
}

/** The handler, run once for each `Idempotency-Key` of the channel. */
function underKey(context: Context, handler: Handler): Handler {
  return async (line, request, reply) => {
    const key = readIdempotencyKey(request.headers["idempotency-key"]);
    if (key === undefined) return handler(line, request, reply);
    const answer = await answerOnce(context, {
      call: { workspaceId: line.workspaceId, callerId: line.id, key },
      request: [request.method, pathOf(request), bytesOf(request)],
      get status() {
        return reply.statusCode;
      },
      run: async () => JSON.stringify(await handler(line, request, reply)),
      recover: () => Promise.resolve(null),
      presentError: errorAnswer,
    });
    if (answer.replayed) void reply.header("idempotency-replayed", "true");
    void reply.code(answer.status).type("application/json; charset=utf-8");
    return answer.body;
  };
}

/** A new channel is served after the next look for new ones; until then its requests wait here. */
async function lineToCome(
  context: Context,
  id: string,
  reply: FastifyReply,
): Promise<SandboxLine | null> {
  for (const begun = performance.now(); performance.now() - begun < TO_COME_MS; await sleep(50)) {
    const line = context.sandbox.desk?.line(id);
    if (line) return line;
    if (reply.raw.destroyed || !reply.server.server.listening) return null;
  }
  return null;
}

function bodyOf(request: FastifyRequest): unknown {
  if (!isJson(request.headers["content-type"])) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  return readJson(bytesOf(request));
}

function threadQuery(request: FastifyRequest) {
  const value = faultless(checkThread(queryOf(request)));
  return {
    after: whole(value, "after"),
    customer: word(value, "customer"),
    limit: whole(value, "limit"),
  };
}
