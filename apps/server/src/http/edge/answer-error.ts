import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import { AppError, invalid } from "../../errors.ts";
import { uncount, uncountKind } from "./door.ts";
import { errorAnswer, toAppError } from "./errors.ts";

/** Our own refusal needs no places in the code, which cost more than the rest of it. */
const describeOverload = (thrown: unknown): ReturnType<typeof describeForLog> =>
  thrown instanceof AppError ? { error: thrown.message } : describeForLog(thrown);

/** NOT_FOUND of a call of the API that has no words of its own names the address whose id is unknown. */
function sayingWhat(error: AppError, { routeOptions }: FastifyRequest): AppError {
  const { details, explanation } = error.facts;
  const [, path = ""] = /^\/api(\/v1\/.*:.*)$/.exec(routeOptions.url ?? "") ?? [];
  if (error.code !== "NOT_FOUND" || path === "" || details || explanation !== undefined)
    return error;
  const shown = path.replaceAll(/:(\w+)/g, "{$1}");
  return new AppError("NOT_FOUND", {
    explanation: `nothing of this workspace has the id in ${shown}`,
  });
}

/** Answers a request that failed, in the form of its door, and logs it when the fault is ours. */
export function answerError(
  { log }: Pick<Context, "log">,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  presentError: typeof errorAnswer = errorAnswer,
): void {
  const requestId = request.id;
  // The client hung up during its request: neither our fault nor that of a database connection.
  const cut = thrown instanceof Error && thrown === request.raw.errored;
  const error = cut
    ? invalid("", "is not a request this server can read")
    : sayingWhat(toAppError(thrown, request.routeOptions.bodyLimit), request);
  if (error.code === "INTERNAL")
    log.error({ requestId, ...describeForLog(thrown) }, "request failed");
  else if (error.code === "OVERLOADED")
    log.warn({ requestId, ...describeOverload(thrown), outage: true }, "overloaded");
  const { status, body, retryAfterSeconds, headers } = presentError(error, requestId);
  if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
  if (headers) reply.headers(headers);
  if (status === 503) uncount(reply);
  else uncountKind(reply);
  reply.code(status).type("application/json; charset=utf-8").send(body);
}
