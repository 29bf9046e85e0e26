import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { RateRule, RateVerdict } from "../../lib/rate-limit/rate-limits.ts";
import type { errorAnswer } from "./errors.ts";
import type { Face } from "./face.ts";
import type { CallerOfKey } from "../../api-keys/kept-answers.ts";

/**
 * What one API decides for itself about its requests. `P` is its principal, which a proven credential stands for.
 * `F` is its face of a route. Everything else belongs to the edge and is the same for all doors.
 */
export interface Door<P, F extends Face> {
  /** Proves the credential before the body is read. Throws a 401, or RATE_LIMITED. */
  authenticate(request: FastifyRequest, face: F): Promise<P>;
  /** How many requests of a principal are allowed. */
  readonly rate: RateRule;
  /** The name under which a principal's requests are counted. */
  countedAs(principal: P): string;
  /** Throws a 403 when the principal may not use the route. */
  permit(principal: P, face: F): void;
  /** The principal as the actor of its changes. */
  actorOf(principal: P): Actor;
  /** The owner of an `Idempotency-Key`: the same key text of two callers means two keys. */
  callerOf(principal: P): CallerOfKey;
  /** What a request's log line says of its principal: ids, no secrets. */
  logFields(principal: P): Readonly<Record<string, string>>;
  /** The answer to a refused client. */
  readonly presentError: typeof errorAnswer;
}

/** What the server's own hooks read of an admitted request at any door. */
interface Admitted {
  readonly logFields: Readonly<Record<string, string>>;
  /** How many requests are allowed in the door's window. */
  readonly limit: number;
  /** Null until the request is counted. */
  verdict: RateVerdict | null;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set on the routes of a door once the credential is proven. */
    admitted: Admitted | null;
  }
}

export interface Admission<P, F extends Face> {
  /** Checks credential, rate and permission, in this order. */
  admit(face: F, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** The principal of a request that `admit` let in. */
  principalOf(request: FastifyRequest): P;
}

/** The admission of one door. */
export function admissionOf<P, F extends Face>(
  context: Pick<Context, "rateLimits">,
  door: Door<P, F>,
): Admission<P, F> {
  const principals = new WeakMap<FastifyRequest, P>();
  return {
    async admit(face, request, reply) {
      if (pathOf(request).endsWith("/")) throw new AppError("ROUTE_NOT_FOUND");
      // Customers' data: no cache on the way to the client may keep it.
      reply.header("cache-control", "no-store");
      const principal = await door.authenticate(request, face);
      principals.set(request, principal);
      const { limit } = door.rate;
      const admitted: Admitted = { logFields: door.logFields(principal), limit, verdict: null };
      request.admitted = admitted;
      const verdict = await context.rateLimits.take(door.countedAs(principal), door.rate);
      admitted.verdict = verdict;
      const reset = Math.max(1, Math.ceil(verdict.resetMs / 1000));
      reply.headers({
        "ratelimit-limit": limit,
        "ratelimit-remaining": verdict.remaining,
        "ratelimit-reset": reset,
      });
      if (!verdict.allowed) throw new AppError("RATE_LIMITED", { retryAfterSeconds: reset });
      door.permit(principal, face);
    },
    principalOf(request) {
      const principal = principals.get(request);
      if (principal === undefined) throw new Error("a route without a proven credential");
      return principal;
    },
  };
}

/** A request that is answered 503 does not count, because it must be repeated. */
export function uncount(reply: FastifyReply): void {
  const { admitted } = reply.request;
  if (!admitted?.verdict?.allowed) return;
  admitted.verdict.giveBack();
  reply.header("ratelimit-remaining", Math.min(admitted.limit, admitted.verdict.remaining + 1));
}

/** The path of a request, without its query. */
export function pathOf({ url }: { readonly url: string }): string {
  return url.split("?", 1)[0] ?? "";
}
