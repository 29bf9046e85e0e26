import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { NamedRate } from "../../operations/rates.ts";
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
  /** Headers of every answer to a proven credential. */
  readonly answersWith?: Readonly<Record<string, string>>;
  /** The name under which a principal's requests are counted. */
  countedAs(principal: P): string;
  /** Throws a 403 when the principal may not use the route. */
  permit(principal: P, face: F): void;
  /** Whether a call is among the first to be refused when the process has too much to do (`request-room.ts`). */
  isHeavy(face: F): boolean;
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
  /** The name under which the principal's requests are counted. */
  readonly caller: string;
  /** The limits under which the request is counted, the door's first. Empty until it is counted. */
  readonly counted: CountedRate[];
  /** It is beyond the limit of its kind: it is answered only if it repeats a call that was answered before. */
  refusal: AppError | null;
}

interface CountedRate {
  readonly rule: NamedRate;
  readonly verdict: RateVerdict;
  /** How many more would pass, with what was given back. */
  remaining: number;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set on the routes of a door once the credential is proven. */
    admitted: Admitted | null;
  }
}

export interface Admission<P, F extends Face> {
  /**
   * Checks credential, rate and permission, in this order. A request with an Idempotency-Key that is beyond the limit of its kind
   * passes, because it may repeat an earlier one: `checkKind` refuses it.
   */
  admit(face: F, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Called before the operation runs. Throws RATE_LIMITED for a request beyond the limit of its kind. */
  checkKind(request: FastifyRequest): void;
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
      const caller = door.countedAs(principal);
      const logFields = door.logFields(principal);
      const admitted: Admitted = { logFields, caller, counted: [], refusal: null };
      request.admitted = admitted;
      if (door.answersWith) reply.headers(door.answersWith);
      const rule = { name: "default", ...door.rate };
      const refusal = await count(context.rateLimits, caller, rule, admitted, reply);
      if (refusal) throw refusal;
      door.permit(principal, face);
      if (!face.rate) return;
      const { name } = face.rate;
      const ofKind = `${caller}:${name}`;
      admitted.refusal = await count(context.rateLimits, ofKind, face.rate, admitted, reply, name);
      if (request.headers["idempotency-key"] === undefined) this.checkKind(request);
    },
    checkKind({ admitted }) {
      if (admitted?.refusal) throw admitted.refusal;
    },
    principalOf(request) {
      const principal = principals.get(request);
      if (principal === undefined) throw new Error("a route without a proven credential");
      return principal;
    },
  };
}

/** Counts a request under one limit. Gives RATE_LIMITED, with the name of the limit where it is not the door's; null: it passes. */
async function count(
  limits: Context["rateLimits"],
  caller: string,
  rule: NamedRate,
  { counted }: Admitted,
  reply: FastifyReply,
  policy?: string,
): Promise<AppError | null> {
  const verdict = await limits.take(caller, rule);
  counted.push({ rule, verdict, remaining: verdict.remaining });
  showRates(reply, counted);
  if (verdict.allowed) return null;
  return new AppError("RATE_LIMITED", {
    retryAfterSeconds: secondsLeft(verdict),
    explanation: `${rule.limit} calls pass in any ${rule.windowMs / 1_000} seconds: /docs/guides/limits`,
    ...(policy !== undefined && { details: [{ path: "policy", message: policy }] }),
  });
}

const secondsLeft = ({ resetMs }: RateVerdict): number => Math.max(1, Math.ceil(resetMs / 1000));

/** The door's limit by the three old headers; all limits by those of draft-ietf-httpapi-ratelimit-headers-11. */
function showRates(reply: FastifyReply, counted: readonly CountedRate[]): void {
  const [first] = counted;
  if (first)
    reply.headers({
      "ratelimit-limit": first.rule.limit,
      "ratelimit-remaining": first.remaining,
      "ratelimit-reset": secondsLeft(first.verdict),
    });
  reply.headers({
    "ratelimit-policy": counted
      .map(({ rule }) => `"${rule.name}";q=${rule.limit};w=${rule.windowMs / 1000}`)
      .join(", "),
    ratelimit: counted
      .map(
        ({ rule, verdict, remaining }) => `"${rule.name}";r=${remaining};t=${secondsLeft(verdict)}`,
      )
      .join(", "),
  });
}

/** A request that is answered 503 does not count, because it must be repeated. */
export const uncount = (reply: FastifyReply): void => giveBack(reply, 0);

/** A call that did nothing, refused or repeated, does not count under the limit of its kind. */
export const uncountKind = (reply: FastifyReply): void => giveBack(reply, 1);

function giveBack(reply: FastifyReply, from: number): void {
  const { counted = [] } = reply.request.admitted ?? {};
  const passed = counted.slice(from).filter(({ verdict }) => verdict.allowed);
  for (const one of passed) {
    one.verdict.giveBack();
    one.remaining = Math.min(one.rule.limit, one.verdict.remaining + 1);
  }
  if (passed.length > 0) showRates(reply, counted);
}

/** The path of a request, without its query. */
export function pathOf({ url }: { readonly url: string }): string {
  return url.split("?", 1)[0] ?? "";
}
