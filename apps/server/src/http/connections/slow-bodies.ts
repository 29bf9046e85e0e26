import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { answerBrokenRequest } from "./broken-request.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The body may take as long as the server's own time-out for requests allows: files over slow lines. */
    readonly slowBody?: true;
  }
}

/** The limit for any request, a file's included. */
export const REQUEST_TIMEOUT_MS = 300_000;
const BODY_TIMEOUT_MS = 10_000;
const LOOK_MS = 1_000;

/**
 * Closes connections whose body trickles: after ten seconds on every route without `slowBody`. The library has one
 * time-out for all requests, but files need a long one and nothing else may have it. On every route, a body that
 * still comes after its request was answered (refused) gets ten seconds at most.
 */
export function closeSlowBodies(
  fastify: FastifyInstance,
  times = { bodyMs: BODY_TIMEOUT_MS, lookMs: LOOK_MS },
): void {
  const waiting = new Map<IncomingMessage, number>();
  fastify.addHook("onRequest", (request, _reply, done) => {
    const { raw, routeOptions } = request;
    // A request that was injected (`inject`) has no connection, and always says that it is incomplete.
    const slow = raw.socket instanceof Socket && !raw.complete && announcesBody(raw);
    if (slow && routeOptions.config.slowBody !== true) waiting.set(raw, performance.now());
    done();
  });
  // The body was read by now. If requests were held until the next look, all requests of a second would outlive
  // the young generation of the heap.
  fastify.addHook("preValidation", (request, _reply, done) => {
    if (waiting.size > 0) waiting.delete(request.raw);
    done();
  });
  const answered = new WeakSet<IncomingMessage>();
  fastify.addHook("onResponse", (request, _reply, done) => {
    const { raw } = request;
    const unread = raw.socket instanceof Socket && !raw.complete && announcesBody(raw);
    if (unread && !raw.destroyed) {
      answered.add(raw);
      waiting.set(raw, waiting.get(raw) ?? performance.now());
    }
    done();
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [raw, since] of waiting) {
      const late = now - since >= times.bodyMs;
      if (raw.complete || raw.destroyed) waiting.delete(raw);
      else if (late) {
        waiting.delete(raw);
        if (answered.has(raw)) {
          raw.socket.destroy();
          continue;
        }
        const error = Object.assign(new Error("body too slow"), {
          code: "ERR_HTTP_REQUEST_TIMEOUT",
        });
        answerBrokenRequest(error, raw.socket);
      }
    }
  }, times.lookMs).unref();
  fastify.addHook("onClose", (_instance, done) => {
    clearInterval(timer);
    done();
  });
}

/** Without either header there is no body (RFC 9112, 6.3), whatever else the parser reports. */
const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
