import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { pathOf } from "./door.ts";

/**
 * Answers requests without a route, before their body is read: 404, or 405 with the methods that the path has,
 * which are also the answer to OPTIONS. Such a request needs no credential. Must be called before the routes are
 * made. With `pages`, a browser that asks for a page which is not there is left to the handler of the dashboard.
 */
export function refuseUnknown(fastify: FastifyInstance, pages: boolean): void {
  const known: { readonly method: string; readonly pattern: RegExp }[] = [];
  fastify.addHook("onRoute", ({ method, url }) => {
    const pattern = patternOf(url);
    // The route of preflights matches every path below it, whether or not that path exists.
    for (const one of [method].flat().filter((name) => name !== "OPTIONS"))
      known.push({ method: one, pattern });
  });
  fastify.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    const path = pathOf(request);
    const allowed = new Set(known.filter((one) => one.pattern.test(path)).map((one) => one.method));
    if (allowed.size === 0 && pages && asksForPage(request, path)) return done();
    if (allowed.size === 0) return done(unknownRoute(path));
    reply.header("allow", [...allowed, "OPTIONS"].sort().join(", "));
    if (request.method !== "OPTIONS") return done(new AppError("METHOD_NOT_ALLOWED"));
    reply.code(204).send();
  });
}

/** Says of an address that a client with a wrong base makes what is wrong with the base. */
function unknownRoute(path: string): AppError {
  const [, twice] = /^\/api\/v1(?:\/api)?(\/v1)(?:\/|$)/.exec(path) ?? [];
  const base = "the base address of a client ends in /api";
  if (twice) return new AppError("ROUTE_NOT_FOUND", { explanation: `/v1 is here twice: ${base}` });
  if (/^\/v1(?:\/|$)/.test(path))
    return new AppError("ROUTE_NOT_FOUND", { explanation: `/api is missing before /v1: ${base}` });
  return new AppError("ROUTE_NOT_FOUND");
}

/** Addresses that are no pages, whatever the caller accepts. */
const NO_PAGE = /^\/(?:api|hooks|chat|sandbox|media|assets|healthz|readyz|metrics)(?:\/|$)/;

/** A person at a browser, who reads no JSON. */
const asksForPage = (request: FastifyRequest, path: string): boolean =>
  request.method === "GET" &&
  String(request.headers.accept ?? "").includes("text/html") &&
  !NO_PAGE.test(path);

/** The paths of a route: `:name` is any text without a slash, not empty at the end; `*` is everything. */
function patternOf(url: string): RegExp {
  return new RegExp(
    `^${url
      .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replace(/:\w+$/, "[^/]+")
      .replaceAll(/:\w+/g, "[^/]*")
      .replace("\\*", ".*")}$`,
  );
}
