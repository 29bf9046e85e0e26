import type { FastifyInstance } from "fastify";
import { answerBrokenRequest } from "./broken-request.ts";

/** The server in a request's first line, which has its address in full there. */
export const SERVER_NAMED = /^https?:\/\/([^/?#]*)/i;

/**
 * Ends requests that two servers in a row could read differently: without Host, with several Host or Authorization
 * headers, or with a Host that is not the server in the first line. Node takes the first one, and a proxy before us may
 * have used another (RFC 9112, 3.2).
 */
export function refuseAmbiguous(fastify: FastifyInstance): void {
  fastify.addHook("onRequest", (request, reply, done) => {
    const { headers, raw } = request;
    const hostless = headers.host === undefined && raw.httpVersion === "1.1";
    const named = SERVER_NAMED.exec(request.originalUrl)?.[1];
    const other = named !== undefined && named.toLowerCase() !== headers.host?.toLowerCase();
    if (!hostless && !other && !saysTwice(raw.rawHeaders)) return done();
    reply.hijack();
    answerBrokenRequest(new Error("Host or Authorization"), raw.socket);
  });
}

function saysTwice(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  let credentials = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    else if (name.length === 13 && name.toLowerCase() === "authorization") credentials++;
  }
  return hosts > 1 || credentials > 1;
}
