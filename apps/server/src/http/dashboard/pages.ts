import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { anybodyCanSignIn } from "../../logins/login.ts";

/**
 * The addresses of pages, as the browser's router has them (the `routes.tsx` of each area in `apps/dashboard/src`): all get the same
 * document.
 */
export const PAGES = [
  "/",
  "/setup",
  "/sign-in",
  "/two-factor",
  "/forgot",
  "/reset/:token",
  "/invite/:token",
  "/inbox/:view",
  "/inbox/:view/:id",
  "/sandbox",
  "/search",
  "/contacts",
  "/contacts/:id",
  "/segments",
  "/segments/:id",
  "/campaigns",
  "/campaigns/:id",
  "/bots",
  "/bots/report",
  "/bots/:id",
  "/knowledge",
  "/knowledge/:id",
  "/templates",
  "/templates/:id",
  "/templates/:id/edit",
  "/usage",
  "/settings",
  "/settings/:name",
  "/settings/:name/:id",
  "/settings/:name/:id/:part",
] as const;

/** An id in an address, as a regular expression of the router. */
const ID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

/** Assets carry the hash of their content in their names. */
const FOREVER = "public, max-age=31536000, immutable";
const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".json": "application/json; charset=utf-8",
};

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer | undefined;
  readonly brotli: Buffer | undefined;
}

/**
 * Serves the dashboard's built pages from `folder`: one document for every page's address and for those without a
 * page, and its assets. The document is made for each request, because its policy contains a fresh nonce, with which
 * the components' library writes a style.
 */
export function registerDashboardPages(
  fastify: FastifyInstance,
  context: Pick<Context, "config" | "db">,
  folder: string,
): void {
  const document = readFileSync(path.join(folder, "index.html"), "utf8");
  const assets = readAssets(path.join(folder, "assets"));
  const page = async (_request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString("base64");
    reply.headers({ ...guarded(nonce), "cache-control": "no-cache" });
    return reply
      .type("text/html; charset=utf-8")
      .send(document.replace("<head>", `<head><meta property="csp-nonce" nonce="${nonce}">`));
  };
  for (const url of PAGES) if (url !== "/setup") fastify.get(url, page);
  // A program links to a conversation by its id alone, and a person writes `/inbox`. Relative, because a proxy may have
  // put a path in front.
  const searchOf = (url: string) => /\?.*$/.exec(url)?.[0] ?? "";
  fastify.get<{ Params: { id: string } }>(`/inbox/:id(${ID})`, async ({ params, url }, reply) =>
    reply.redirect(`all/${params.id}${searchOf(url)}`, 302),
  );
  for (const [url, mine] of [
    ["/inbox", "inbox/mine"],
    ["/inbox/", "mine"],
  ] as const)
    fastify.get(url, async (request, reply) =>
      reply.redirect(`${mine}${searchOf(request.url)}`, 302),
    );
  // The document then says that there is no such page.
  fastify.get("/setup", async (request, reply) =>
    page(request, (await anybodyCanSignIn(context)) ? reply.code(404) : reply),
  );
  // An address that names no page: the document says so, in the language of whoever came there.
  fastify.setNotFoundHandler((request, reply) => page(request, reply.code(404)));
  fastify.get("/assets/:name", async (request, reply) => {
    const { name } = request.params as { readonly name: string };
    const asset = assets.get(name);
    if (asset === undefined) throw new AppError("ROUTE_NOT_FOUND");
    reply.headers({
      "cache-control": FOREVER,
      vary: "accept-encoding",
      "cross-origin-resource-policy": "same-origin",
    });
    const accepted = String(request.headers["accept-encoding"] ?? "");
    if (asset.brotli && /\bbr\b/.test(accepted))
      return reply.header("content-encoding", "br").type(asset.type).send(asset.brotli);
    if (asset.gzip && /\bgzip\b/.test(accepted))
      return reply.header("content-encoding", "gzip").type(asset.type).send(asset.gzip);
    return reply.type(asset.type).send(asset.plain);
  });
}

/** What a browser must not do with the dashboard: load anything of another host, or any script or style but ours. */
const guarded = (nonce: string) => ({
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(";"),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
});

function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const names = readdirSync(folder);
  const read = (name: string) =>
    names.includes(name) ? readFileSync(path.join(folder, name)) : undefined;
  return new Map(
    names
      .filter((name) => !/\.(br|gz)$/.test(name))
      .map((name) => [
        name,
        {
          type: TYPES[path.extname(name)] ?? "application/octet-stream",
          plain: readFileSync(path.join(folder, name)),
          gzip: read(`${name}.gz`),
          brotli: read(`${name}.br`),
        },
      ]),
  );
}
