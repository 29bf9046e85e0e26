import { Type } from "typebox";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { mayUse, type Principal } from "../../api-keys/api-key.ts";
import { verifyKey } from "../../api-keys/verify-key.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { clientAddress } from "../edge/client-address.ts";
import { answerOnce, readIdempotencyKey, type Keeper } from "../edge/idempotency.ts";
import { readJson } from "../edge/read-json.ts";
import { queryOf } from "../edge/read-query.ts";
import type { RateVerdict } from "../../lib/rate-limit/rate-limits.ts";
import { bodyCheck, queryCheck } from "../edge/validation.ts";
import type { Route, RouteFace } from "./route.ts";

/** A key passes 120 requests in any 60 seconds (spec, Limits). */
const KEY_RATE = { limit: 120, windowMs: 60_000 };

declare module "fastify" {
  interface FastifyRequest {
    /** Set on API routes once the credential is proven. */
    principal: Principal | null;
    /** Set once the call is counted. */
    rate: RateVerdict | null;
  }
}

/** Serves the rows. Order of checks: credential, rate, scope, validation, then the operation (contract §5). */
export function registerApi(
  fastify: FastifyInstance,
  context: Context,
  routes: readonly Route[],
): void {
  // The body stays bytes until the checks before it passed and its route is known to want one.
  fastify.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );
  for (const route of routes) {
    const answer = answerer(context, route);
    fastify.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      onRequest: (request, reply) => admit(context, route, request, reply),
      handler: answer,
    });
  }
}

/** Credential, rate and scope; puts who calls on the request. */
export async function admit(
  context: Context,
  route: RouteFace,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (pathOf(request).endsWith("/")) throw new AppError("ROUTE_NOT_FOUND");
  // Customers' data: no cache between here and the client keeps it.
  reply.header("cache-control", "no-store");
  const principal = await verifyKey(context, request.headers.authorization, () =>
    clientAddress(request),
  );
  request.principal = principal;
  const verdict = await context.rateLimits.take(`key:${principal.keyId}`, KEY_RATE);
  request.rate = verdict;
  const reset = Math.max(1, Math.ceil(verdict.resetMs / 1000));
  reply.headers({
    "ratelimit-limit": KEY_RATE.limit,
    "ratelimit-remaining": verdict.remaining,
    "ratelimit-reset": reset,
  });
  if (!verdict.allowed) throw new AppError("RATE_LIMITED", { retryAfterSeconds: reset });
  const scopes = [route.scope, ...(route.otherScopes ?? [])];
  if (!scopes.some((scope) => mayUse(principal, scope)))
    throw new AppError(`MISSING_SCOPE:${route.scope}`);
  // A route without a body reads none, whatever it is said to be: the library would refuse a type it cannot parse.
  if (!route.body) delete request.headers["content-type"];
}

/** A call that is answered 503 does not count: it is to be made again. */
export function uncount(reply: FastifyReply): void {
  const { rate } = reply.request;
  if (!rate?.allowed) return;
  rate.giveBack();
  reply.header("ratelimit-remaining", Math.min(KEY_RATE.limit, rate.remaining + 1));
}

type Answerer = (request: FastifyRequest, reply: FastifyReply) => Promise<string | Buffer>;

function answerer(context: Context, route: Route): Answerer {
  const checkQuery = queryCheck(route.query ?? NO_QUERY);
  const checkBody = route.body && bodyCheck(route.body, route.furtherFaults);
  return async (request, reply) => {
    const { principal } = request;
    if (!principal) throw new Error("a route without a proven credential");
    const key =
      route.method === "POST" ? readIdempotencyKey(request.headers["idempotency-key"]) : undefined;
    const checked = checkQuery(queryOf(request));
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const body =
      checkBody && checked.faults.length === 0 ? checkBody(readBody(request, bytes)) : null;
    const details = [...checked.faults, ...(body?.faults ?? [])];
    if (details.length > 0) throw new AppError("VALIDATION_FAILED", { details });
    if (body && body.ignored.length > 0) void reply.header("parley-ignored", listed(body.ignored));
    const params = paramsOf(request);
    const run = (keeper: Keeper | null): Promise<string | Buffer> =>
      route.handler({
        context,
        principal,
        params,
        query: checked.value,
        body: body?.value ?? {},
        once: (present) =>
          keeper ? { within: (tx, result) => keeper.keep(tx, present(result)) } : {},
        begun: () => (keeper ? { within: (tx, record) => keeper.begin(tx, record.id) } : {}),
      });
    void reply.type("application/json; charset=utf-8");
    if (key === undefined) {
      void reply.code(route.success.status);
      return run(null);
    }
    const answer = await answerOnce(context, {
      call: { workspaceId: principal.workspaceId, keyId: principal.keyId, key },
      request: [route.method, pathOf(request), bytes],
      status: route.success.status,
      run: async (keeper) => String(await run(keeper)),
      recover: async (recordId) => (await route.recover?.(context, principal, recordId)) ?? null,
    });
    void reply.code(answer.status);
    if (answer.replayed) void reply.header("idempotency-replayed", "true");
    return answer.body;
  };
}

const NO_QUERY = Type.Object({});

/** Names for a header, which takes no other characters than these: percent-encoded, the first twenty, each cut at 100. */
function listed(names: readonly string[]): string {
  return names
    .slice(0, 20)
    .map((name) => encodeURIComponent(name.slice(0, 100).toWellFormed()))
    .join(", ");
}

/** JSON it must be, plain, and said so; no body at all reads as nothing, which the schema then refuses. */
function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  const encoding = request.headers["content-encoding"] ?? "identity";
  const type = request.headers["content-type"];
  const json = type !== undefined && /^application\/json *(;|$)/i.test(type);
  const charset = /charset *= *"?([\w-]+)/i.exec(type ?? "")?.[1]?.toLowerCase() ?? "utf-8";
  if (bytes.length === 0 && (json || type === undefined)) return undefined;
  if (!json || charset !== "utf-8" || encoding !== "identity")
    throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  return readJson(bytes);
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}

function paramsOf(request: FastifyRequest): Record<string, string> {
  const params = request.params ?? {};
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}
