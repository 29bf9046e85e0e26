import type { FastifyReply, FastifyRequest } from "fastify";
import { ANY_ORIGIN, isAllowedOrigin } from "../../channels/adapters/web/origins.ts";
import type { LoadedAccount } from "../../channels/load-accounts.ts";
import type { Config } from "../../config.ts";
import { AppError } from "../../errors.ts";

/**
 * Lets the pages of the channel's allowed origins read the answers, errors too; our own try page is always
 * allowed. Throws ORIGIN_NOT_ALLOWED for any other page. When the channel has a list, requests without an origin
 * are refused too, unless the browser says that a page of ours asks. Origins keep out pages, not programs: the
 * tokens protect.
 */
export function checkOrigin(
  config: Pick<Config, "publicUrl">,
  account: Pick<LoadedAccount, "settings">,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header("vary", "origin");
  const { origin } = request.headers;
  const allowed = account.settings["allowedOrigins"] ?? ANY_ORIGIN;
  const own = new URL(config.publicUrl).origin;
  if (origin === undefined) {
    const ours = request.headers["sec-fetch-site"] === "same-origin";
    if (allowed === ANY_ORIGIN || ours) return;
    throw new AppError("ORIGIN_NOT_ALLOWED");
  }
  if (origin !== own && !isAllowedOrigin(origin, allowed)) throw new AppError("ORIGIN_NOT_ALLOWED");
  reply.headers({
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "retry-after",
  });
}

/** Any page may read the answer that there is no such channel, because the window must. */
export function letAnyPageRead(reply: FastifyReply): void {
  reply.header("access-control-allow-origin", "*");
}

/** The answer to a browser's question before it sends a token: always the same, valid for an hour. */
export function allowRequests(reply: FastifyReply): void {
  reply.headers({
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-max-age": "3600",
  });
}
