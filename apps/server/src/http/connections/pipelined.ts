import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** More than any client pipelines; browsers, proxies and libraries pipeline none. */
const MOST_AHEAD = 16;

/**
 * Closes connections on which too many requests wait behind an answer that was not taken. The library works on
 * every request that it reads, and keeps the answers until the earlier ones are taken: a client that sent 50 KB of
 * requests for a page and read nothing held 90 MB (20 of them 1.8 GB).
 */
export function boundPipelining(fastify: FastifyInstance, most = MOST_AHEAD): void {
  const ahead = new WeakMap<Socket, number>();
  fastify.addHook("onRequest", (request, reply, done) => {
    const { socket } = request.raw;
    // Only the answer whose turn has come has the connection. A request that was injected (`inject`) has none.
    if (reply.raw.socket !== null || !(socket instanceof Socket)) return done();
    const count = (ahead.get(socket) ?? 0) + 1;
    if (count > most || socket.destroyed) {
      // Requests that were read with it also come here, before the connection is gone.
      reply.hijack();
      socket.destroy();
      return;
    }
    ahead.set(socket, count);
    reply.raw.once("close", () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1));
    done();
  });
}
