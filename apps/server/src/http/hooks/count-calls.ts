import type { FastifyInstance, FastifyRequest } from "fastify";
import { inboundCalls } from "../../messages/receive/inbound-calls.ts";
import type { ChannelType } from "../../wire/words.ts";

type Result = Parameters<typeof inboundCalls.add>[0]["result"];

const REFUSED: ReadonlyMap<number, Result> = new Map([
  [401, "unsigned"],
  [403, "unsigned"],
  [404, "unknown"],
  [413, "too_long"],
]);

/** Signed calls that could not be read. They were answered 200 and kept. */
const unreadable = new WeakSet<FastifyRequest>();

/** Notes that a signed call could not be read, before it is answered. */
export const markUnreadable = (request: FastifyRequest): void => void unreadable.add(request);

/** Counts each call of a scope when it is answered. `platformOf` gives null for one that names no platform. */
export function countCalls(
  scope: FastifyInstance,
  platformOf: (request: FastifyRequest) => ChannelType | "SMS" | null,
): void {
  scope.addHook("onResponse", (request, { statusCode }, done) => {
    const platform = platformOf(request);
    if (platform !== null)
      inboundCalls.add({
        platform,
        result: unreadable.has(request) ? "unreadable" : resultOf(statusCode),
      });
    done();
  });
}

const resultOf = (status: number): Result =>
  status < 400 ? "stored" : (REFUSED.get(status) ?? "again");
