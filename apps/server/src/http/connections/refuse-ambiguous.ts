import type { FastifyInstance } from "fastify";
import { answerBrokenRequest } from "./broken-request.ts";

/**
 * Ends requests that two servers in a row could read differently: without Host, or with several Host or
 * Authorization headers. Node takes the first one, and a proxy before us may have used another (RFC 9112, 3.2).
 */
export function refuseAmbiguous(fastify: FastifyInstance): void {
  fastify.addHook("onRequest", (request, reply, done) => {
    const { headers, raw } = request;
    const hostless = headers.host === undefined && raw.httpVersion === "1.1";
    if (!hostless && !saysTwice(raw.rawHeaders)) return done();
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
