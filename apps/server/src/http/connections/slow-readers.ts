import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { REQUEST_TIMEOUT_MS } from "./slow-bodies.ts";

/** What the system's socket takes at once, so that we do not hold it. */
const SMALL_BYTES = 16 * 1024;
const PATIENCE = { answerMs: 10_000, fileMs: REQUEST_TIMEOUT_MS } as const;

/**
 * Closes connections whose client does not take its answer. The library would wait for ever and hold each answer
 * in memory (200 clients that asked for a script of 4 MB and read none of it held 900 MB). A file is passed on as
 * it is read, and a paused film is not read for minutes. Streams of events have a limit of their own.
 */
export function closeSlowReaders(
  fastify: FastifyInstance,
  patience: { readonly answerMs: number; readonly fileMs: number } = PATIENCE,
): void {
  fastify.addHook("onSend", (request, reply, payload, done) => {
    // The request's connection: an answer that waits behind others has none yet, and sets its time-out when it
    // gets one.
    const { socket } = request.raw;
    // A request that was injected (`inject`) has no connection.
    if (socket instanceof Socket && !isSmall(payload)) {
      const whole = typeof payload === "string" || Buffer.isBuffer(payload);
      // Fires when nothing was taken for this long. The library sets its own time-out again for the next request.
      reply.raw.setTimeout(whole ? patience.answerMs : patience.fileMs, () => {
        if (socket.writableLength > 0) socket.destroy();
      });
    }
    done(null, payload);
  });
}

function isSmall(payload: unknown): boolean {
  if (payload === null || payload === undefined) return true;
  return (typeof payload === "string" || Buffer.isBuffer(payload)) && payload.length <= SMALL_BYTES;
}
