import { Readable } from "node:stream";
import { Type } from "typebox";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import type { Context } from "../../context.ts";
import { answerError } from "./answer-error.ts";
import { admissionOf, pathOf, uncountKind, type Admission, type Door } from "./door.ts";
import { leftOut, mayLackBody, type Face } from "./face.ts";
import { answerOnce, readIdempotencyKey, storing, type Keeper } from "./idempotency.ts";
import { bytesOf, bufferBytes, JSON_TYPE, readJsonBody, saysPlainJson } from "./read-body.ts";
import { queryOf } from "./read-query.ts";
import type { Route } from "./route.ts";
import { tagOf } from "../../lib/version-tag.ts";
import { bodyCheck, faultless, listsOfItems, queryCheck } from "./validation.ts";

/**
 * Serves a door's routes in a scope of their own. Order of checks: credential, rate, permission, validation, then the
 * operation (contract §5).
 */
export function serveRoutes<P, F extends Face>(
  fastify: FastifyInstance,
  context: Context,
  door: Door<P, F>,
  routes: readonly Route<NoInfer<P>, NoInfer<F>>[],
): void {
  const admission = openScope(fastify, context, door);
  bufferBytes(fastify);
  for (const route of routes) {
    fastify.route({
      config: { heavy: door.isHeavy(route) },
      method: route.method,
      url: urlOf(route),
      onRequest: async (request, reply) => {
        await admission.admit(route, request, reply);
        // A route without a body reads none: the library would refuse a type that it cannot parse.
        if (!route.body && !(route.bare && saysPlainJson(request)))
          delete request.headers["content-type"];
      },
      handler: answerer(context, door, admission, route),
    });
  }
}

/**
 * Serves one route, in a scope of its own, whose body is JSON or, with any other `Content-Type`, a file. JSON runs the
 * route as on every other address. `answer` gets a file as the stream in `request.body`; `file` is its query.
 */
export function serveJsonOrFile<P, F extends Face>(
  fastify: FastifyInstance,
  context: Context,
  door: Door<P, F>,
  route: Route<NoInfer<P>, NoInfer<F>>,
  file: NoInfer<F>,
  answer: (call: OpenCall<P>) => Promise<unknown>,
): void {
  const admission = openScope(fastify, context, door);
  fastify.removeAllContentTypeParsers();
  bufferBytes(fastify, JSON_TYPE);
  fastify.addContentTypeParser("*", (_request, payload, parsed) => parsed(null, payload));
  const json = answerer(context, door, admission, route);
  const check = queryCheck(file.query ?? NO_QUERY);
  fastify.route({
    // The bytes of a file are not limited here, and the limit of the scope holds for JSON.
    config: { slowBody: true, heavy: door.isHeavy(route) },
    method: route.method,
    url: urlOf(route),
    onRequest: (request, reply) => admission.admit(route, request, reply),
    handler: async (request, reply) => {
      if (!(request.body instanceof Readable)) return json(request, reply);
      admission.checkKind(request);
      const principal = admission.principalOf(request);
      const query = faultless(check(queryOf(request)));
      return answer({ principal, params: paramsOf(request), query, request, reply });
    },
  });
}

/** An admitted request whose answer the handler writes itself. */
export interface OpenCall<P> {
  readonly principal: P;
  readonly params: Readonly<Record<string, string>>;
  /** It fits the face's schema. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Serves one route of a door, in a scope of its own, that is not JSON: a stream of events, or a file in either
 * direction. It is admitted and its query validated as on every other route. The scope's own parser reads a body,
 * under the limits of `options`.
 */
export function serveOpen<P, F extends Face>(
  fastify: FastifyInstance,
  context: Context,
  door: Door<P, F>,
  face: NoInfer<F>,
  answer: (call: OpenCall<P>) => Promise<unknown>,
  options: Pick<RouteShorthandOptions, "bodyLimit" | "config"> = {},
): void {
  const admission = openScope(fastify, context, door);
  const check = queryCheck(face.query ?? NO_QUERY);
  fastify.route({
    ...options,
    config: { ...options.config, heavy: door.isHeavy(face) },
    method: face.method,
    url: urlOf(face),
    // HEAD would wait for the end of a stream.
    exposeHeadRoute: false,
    onRequest: (request, reply) => admission.admit(face, request, reply),
    handler: async (request, reply) => {
      admission.checkKind(request);
      const principal = admission.principalOf(request);
      const query = faultless(check(queryOf(request)));
      return answer({ principal, params: paramsOf(request), query, request, reply });
    },
  });
}

const NO_QUERY = Type.Object({});
const NO_MEMBERS = Type.Object({}, { additionalProperties: false });

function openScope<P, F extends Face>(
  fastify: FastifyInstance,
  context: Context,
  door: Door<P, F>,
): Admission<P, F> {
  fastify.setErrorHandler((error, request, reply) =>
    answerError(context, error, request, reply, door.presentError),
  );
  return admissionOf(context, door);
}

type Answerer = (request: FastifyRequest, reply: FastifyReply) => Promise<string | Buffer>;

/** Validates, runs the handler (once under an Idempotency-Key), and answers. */
function answerer<P, F extends Face>(
  context: Context,
  door: Door<P, F>,
  admission: Admission<P, F>,
  route: Route<P, F>,
): Answerer {
  const validate = validator(route);
  const status = successStatus(route);
  return async (request, reply) => {
    const principal = admission.principalOf(request);
    const key =
      route.method === "POST" ? readIdempotencyKey(request.headers["idempotency-key"]) : undefined;
    const { query, body, ignored } = validate(request);
    if (ignored.length > 0) void reply.header("parley-ignored", listed(ignored));
    const run = (keeper: Keeper | null): Promise<string | Buffer> => {
      admission.checkKind(request);
      return route.handler({
        context,
        principal,
        actor: door.actorOf(principal),
        params: paramsOf(request),
        query,
        body,
        ifMatch: request.headers["if-match"],
        setHeader: (name, value) => void reply.header(name, value),
        ...storing(keeper),
      });
    };
    void reply.type("application/json; charset=utf-8");
    if (key === undefined) {
      const answer = await run(null);
      void reply.code(status(String(answer)));
      // Nothing is left of what was deleted.
      if (route.versioned && route.method !== "DELETE" && !reply.hasHeader("etag"))
        void reply.header("etag", tagOf(String(answer), leftOut(route.versioned)));
      return answer;
    }
    const answer = await answerOnce(context, {
      call: { ...door.callerOf(principal), key },
      request: [route.method, pathOf(request), bytesOf(request)],
      status,
      secret: route.secret === true,
      run: async (keeper) => String(await run(keeper)),
      recover: async (recordId) => (await route.recover?.(context, principal, recordId)) ?? null,
      presentError: door.presentError,
    });
    void reply.code(answer.status);
    if (answer.replayed) {
      void reply.header("idempotency-replayed", "true");
      uncountKind(reply);
    }
    return answer.body;
  };
}

/** The status of a success, by the JSON of its answer. */
function successStatus({ status = 200, createdWhen }: Face): (answer: string) => number {
  if (!createdWhen) return () => status;
  const [member, value] = createdWhen;
  return (answer) => {
    const json: unknown = JSON.parse(answer);
    const members = new Map(Object.entries(typeof json === "object" && json ? json : {}));
    return members.get(member) === value ? 201 : status;
  };
}

interface Validated {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Members of the body that the schema does not name. */
  readonly ignored: readonly string[];
}

/** Checks query and body of a route. Throws VALIDATION_FAILED with every fault, and the errors of reading the body. */
function validator(face: Face): (request: FastifyRequest) => Validated {
  const checkQuery = queryCheck(face.query ?? NO_QUERY);
  const shape = face.body ?? (face.bare && NO_MEMBERS);
  const checkBody = shape && bodyCheck(shape, face.furtherFaults);
  const lists = face.body ? listsOfItems(face.body) : [];
  const absent = face.bare || mayLackBody(face) ? {} : undefined;
  const isRead = (request: FastifyRequest): boolean =>
    face.body !== undefined || (face.bare === true && saysPlainJson(request));
  return (request) => {
    // The body is looked at only when the query has no fault.
    const query = faultless(checkQuery(queryOf(request)));
    const given = isRead(request) ? readJsonBody(request, lists) : undefined;
    const body = checkBody?.(given ?? absent);
    return { query, body: body ? faultless(body) : {}, ignored: body?.ignored ?? [] };
  };
}

/** Names in a form that a header can carry: percent-encoded, the first twenty, each cut at 100. */
function listed(names: readonly string[]): string {
  return names
    .slice(0, 20)
    .map((name) => encodeURIComponent(name.slice(0, 100).toWellFormed()))
    .join(", ");
}

const urlOf = ({ path }: Face): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

function paramsOf(request: FastifyRequest): Record<string, string> {
  const params = request.params ?? {};
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}
