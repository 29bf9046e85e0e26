import type { FastifyRequest } from "fastify";

/** The token of `Authorization: Bearer TOKEN`; undefined for no header, another scheme or more than one word. */
export function bearerOf({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}
