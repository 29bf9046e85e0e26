import type { FastifyReply } from "fastify";

/** Text that no browser reads as a page: a handshake's challenge is the caller's own words. */
export function plainAnswer(reply: FastifyReply, status: number, words: string): FastifyReply {
  return reply
    .code(status)
    .header("content-type", "text/plain; charset=utf-8")
    .header("x-content-type-options", "nosniff")
    .send(words);
}

/** 503: the database does not answer now, so the caller sends it again. */
export const comeAgain = (reply: FastifyReply): FastifyReply =>
  plainAnswer(reply.header("retry-after", "10"), 503, "try again later");
