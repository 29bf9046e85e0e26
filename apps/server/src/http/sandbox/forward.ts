import { request as httpRequest } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";

/** Marks a call from another process of ours: it is not passed on once more. */
export const PASSED_ON = "x-parley-sandbox";

/** The headers of the answer that the caller gets. */
const ANSWERED = ["content-type", "retry-after", "cache-control", "idempotency-replayed"] as const;

/** Longer than `say` waits, and than a stream is silent between two pings. */
const SILENT_MS = 30_000;

/**
 * Passes a call on to the process that runs the sandbox, and its answer back as it comes, a stream too. The
 * address is one of our own processes, from the database. A process that is silent for `silentMs` (it was stopped,
 * its machine is gone) is given up: OVERLOADED, and an open stream is cut.
 */
export function passOn(
  address: string,
  request: FastifyRequest,
  reply: FastifyReply,
  silentMs = SILENT_MS,
): Promise<FastifyReply> {
  const { authorization = "", "content-type": type, "idempotency-key": key } = request.headers;
  const body = Buffer.isBuffer(request.body) ? request.body : null;
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      address + request.url,
      {
        method: request.method,
        timeout: silentMs,
        headers: {
          authorization,
          [PASSED_ON]: "1",
          ...(key !== undefined && { "idempotency-key": key }),
          ...(body && { "content-length": body.length }),
          ...(body && type !== undefined && { "content-type": type }),
        },
      },
      (answer) => {
        void reply.code(answer.statusCode ?? 502);
        for (const name of ANSWERED) {
          const value = answer.headers[name];
          if (value !== undefined) void reply.header(name, value);
        }
        resolve(reply.send(answer));
      },
    );
    call.on("timeout", () => call.destroy(new Error("no answer in time")));
    call.on("error", () => reject(new AppError("OVERLOADED", { retryAfterSeconds: 2 })));
    // The client of a stream went away.
    reply.raw.on("close", () => call.destroy());
    call.end(body ?? undefined);
  });
}
