import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { pageLanguage } from "../../lib/language.ts";
import { flowSchema } from "../../wire/flow.ts";
import { registerDocs } from "./docs.ts";
import { openapiDocument } from "../openapi/openapi.ts";

const read = (name: string) => readFileSync(path.join(import.meta.dirname, name), "utf8");

/** What a browser must not do with a page of ours. The reference writes its styles at run time. */
const GUARDED = {
  "content-security-policy":
    "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data: blob:;font-src 'self' data:;connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
} as const;

/** The JSON Schema of a flow, for editors and programs that write flows. */
const FLOW_SCHEMA = "/api/flow.schema.json";

let bytes: Buffer | undefined;
/**
 * The document as bytes that every answer shares: a text would be copied for each slow connection. It is the same for
 * every server of this process. It takes a quarter of a second to make, so the first who asks for it waits, not every
 * start.
 */
function documentBytes(): Buffer {
  bytes ??= Buffer.from(JSON.stringify(openapiDocument()));
  return bytes;
}

/**
 * The first page when the dashboard is not there, the API document and its reference, the documents. Everything is
 * served from here: no page asks another host.
 */
export async function registerPages(
  fastify: FastifyInstance,
  app: App,
  { first }: { readonly first: boolean },
): Promise<void> {
  const home = { en: fill(read("home.en.html"), app), ar: fill(read("home.ar.html"), app) };
  const files = {
    "/pages/home.css": ["text/css; charset=utf-8", read("home.css")],
    "/api/docs/start.js": ["text/javascript; charset=utf-8", read("docs.js")],
  } as const;
  await fastify.register(async (pages) => {
    pages.addHook("onRequest", async (_request, reply) => {
      reply.headers(GUARDED);
    });
    if (first)
      pages.get("/", async (request, reply) => {
        const { language } = pageLanguage(request.url, request.headers["accept-language"]);
        return reply
          .headers({ "content-language": language, vary: "accept-language" })
          .type("text/html; charset=utf-8")
          .send(home[language]);
      });
    registerDocs(pages, app);
    for (const [url, [type, text]] of Object.entries(files))
      pages.get(url, async (_request, reply) => reply.type(type).send(text));
    pages.get("/api/openapi.json", async (request, reply) => {
      void reply
        .headers({ "access-control-allow-origin": "*", "cache-control": "no-cache" })
        .type("application/json; charset=utf-8");
      return sendPacked(request, reply, documentBytes());
    });
    pages.get(FLOW_SCHEMA, async (_request, reply) =>
      reply
        .headers({ "access-control-allow-origin": "*", "cache-control": "no-cache" })
        .type("application/schema+json; charset=utf-8")
        .send(JSON.stringify(flowSchema(`${app.config.publicUrl}${FLOW_SCHEMA}`))),
    );
    pages.get("/api/docs", async (_request, reply) =>
      reply.type("text/html; charset=utf-8").send(read("docs.html")),
    );
    pages.get("/api/docs/", async (_request, reply) => reply.redirect("../docs", 308));
    pages.get("/api/docs/reference.js", async (request, reply) => {
      void reply
        .headers({ "cache-control": "public, max-age=86400" })
        .type("text/javascript; charset=utf-8");
      return sendPacked(request, reply, await referenceScript());
    });
  });
}

function fill(page: string, app: App): string {
  const safe = app.config.publicUrl.replaceAll(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
  return page.replaceAll("{{publicUrl}}", safe);
}

const packed = new WeakMap<Buffer, Promise<Buffer>>();

/**
 * Sends what every answer shares, compressed for whoever takes that: of the reference's script 1.3 MB go over the wire
 * instead of 4.4, of the document 0.1 instead of 1.6. Each is compressed once, for the first who asks.
 */
async function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
): Promise<FastifyReply> {
  void reply.header("vary", "accept-encoding");
  if (!/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""))) return reply.send(body);
  const small = packed.get(body) ?? promisify(gzip)(body);
  packed.set(body, small);
  return reply.header("content-encoding", "gzip").send(await small);
}

let script: Promise<Buffer> | undefined;

/**
 * The script of the reference, 4 MB, loaded when somebody first reads it: loading it at every start would cost 0.4
 * s and the memory. Only the package's script is used: its own page runs an inline one, which the policy forbids.
 */
function referenceScript(): Promise<Buffer> {
  script ??= (async () => {
    const { default: scalar } = await import("@scalar/fastify-api-reference");
    const carrier = Fastify();
    await carrier.register(scalar, { routePrefix: "/r", configuration: { url: "/unused" } });
    const { rawPayload } = await carrier.inject("/r/js/scalar.js");
    await carrier.close();
    return rawPayload;
  })();
  return script;
}
