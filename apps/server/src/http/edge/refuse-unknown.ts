import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { pathOf } from "./door.ts";

/**
 * Answers requests without a route, before their body is read: 404, or 405 with the methods that the path has,
 * which are also the answer to OPTIONS. Such a request needs no credential. Must be called before the routes are
 * made. With `pages`, a browser that asks for a page which is not there is left to the handler of the dashboard.
 */
export function refuseUnknown(fastify: FastifyInstance, pages: boolean): void {
  const known: Known[] = [];
  fastify.addHook("onRoute", ({ method, url }) => {
    const pattern = patternOf(url);
    // The route of preflights matches every path below it, whether or not that path exists.
    for (const one of [method].flat().filter((name) => name !== "OPTIONS"))
      known.push({ method: one, url, pattern });
  });
  fastify.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    const path = pathOf(request);
    const allowed = new Set(known.filter((one) => one.pattern.test(path)).map((one) => one.method));
    if (allowed.size === 0 && pages && asksForPage(request, path)) return done();
    if (allowed.size === 0) return done(unknownRoute(path, known));
    reply.header("allow", [...allowed, "OPTIONS"].sort().join(", "));
    if (request.method !== "OPTIONS")
      return done(methodRefused(request.method, path, [...allowed].sort(), known));
    reply.code(204).send();
  });
}

/** A route that there is. */
interface Known {
  readonly method: string;
  /** As it was registered, with `:name` for a part that varies. */
  readonly url: string;
  readonly pattern: RegExp;
}

/** Says which methods the address takes; of a POST to a list whose records are put by their name, where that is. */
function methodRefused(
  method: string,
  path: string,
  allowed: readonly string[],
  known: readonly Known[],
): AppError {
  const put = known.find(
    (one) =>
      method === "POST" &&
      one.method === "PUT" &&
      one.url.startsWith(`${path}/`) &&
      /^(?:\/[a-z-]+)?\/:\w+$/.test(one.url.slice(path.length)),
  );
  const takes = `this address takes ${allowed.join(", ")}`;
  const explanation = put ? `${takes}; to create one: PUT ${shown(put.url)}` : takes;
  return new AppError("METHOD_NOT_ALLOWED", { explanation });
}

/** An address as the documents write it. */
const shown = (url: string): string => url.replaceAll(/:(\w+)/g, "{$1}");

/** Says of an address that a client with a wrong base makes what is wrong with the base, and which address is like it. */
function unknownRoute(path: string, known: readonly Known[]): AppError {
  const [, twice] = /^\/api\/v1(?:\/api)?(\/v1)(?:\/|$)/.exec(path) ?? [];
  const base = "the base address of a client ends in /api";
  if (twice) return new AppError("ROUTE_NOT_FOUND", { explanation: `/v1 is here twice: ${base}` });
  if (/^\/v1(?:\/|$)/.test(path))
    return new AppError("ROUTE_NOT_FOUND", { explanation: `/api is missing before /v1: ${base}` });
  const alike = addressLike(path, known);
  if (alike === undefined) return new AppError("ROUTE_NOT_FOUND");
  const explanation = `no call has this address; one like it is ${alike}. /api/docs lists them`;
  return new AppError("ROUTE_NOT_FOUND", { explanation });
}

/** The address of the API whose first word begins as that of the path does: `/webhooks` means `/webhook-endpoints`. */
function addressLike(path: string, known: readonly Known[]): string | undefined {
  const [, word] = /^\/api\/v1\/([a-z-]{4,})/i.exec(path) ?? [];
  if (word === undefined) return undefined;
  const begins = word.toLowerCase().slice(0, 4);
  const words = new Set(known.flatMap(({ url }) => /^\/api\/v1\/([a-z-]+)/.exec(url)?.[1] ?? []));
  if (words.has(word)) return undefined;
  const alike = [...words]
    .filter((one) => one.startsWith(begins))
    .sort((a, b) => a.length - b.length)[0];
  return alike === undefined ? undefined : `/api/v1/${alike}`;
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
