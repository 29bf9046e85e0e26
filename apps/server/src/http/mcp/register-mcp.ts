import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { SCOPES } from "../../wire/words.ts";
import { bufferBytes, readJsonBody } from "../edge/read-body.ts";
import { serveOpen } from "../edge/serve.ts";
import { keyDoor } from "../v1/key-door.ts";
import type { RouteFace } from "../v1/route.ts";
import { Type } from "typebox";

/** Any scope opens the door: each tool asks for its own. */
const FACE: RouteFace = {
  method: "POST",
  path: "/mcp",
  scope: "messages:read",
  otherScopes: SCOPES,
  operationId: "mcp",
  summary: "The Model Context Protocol",
  success: { status: 200, schema: Type.Object({}), example: {} },
  errors: [],
};

/**
 * Serves assistants: `POST /mcp`, the Model Context Protocol of the revisions 2026-07-28 and 2025-11-25 over HTTP. The key
 * is the bearer, and it is admitted as at the API: its requests a minute, its scopes, the size of a body. The host is
 * checked like that of every page (`known-host.ts`), the origin here. The protocol's library is loaded at the first call.
 */
export function registerMcp(fastify: FastifyInstance, context: Context): void {
  bufferBytes(fastify);
  fastify.addHook("onRequest", (request, _reply, done) => {
    done(isOurs(request, context.config.publicUrl) ? undefined : foreignOrigin());
  });
  serveOpen(fastify, context, keyDoor(context), FACE, async ({ principal, request, reply }) => {
    const { body, refused } = read(request);
    if (refused)
      return reply
        .code(refused.status)
        .type("application/json; charset=utf-8")
        .send(JSON.stringify({ jsonrpc: "2.0", id: refused.id, error: refused.error }));
    const { mcpFetch } = await import("./serve-mcp.ts");
    const answer = await mcpFetch({ context, principal }, requestOf(request, body), body);
    // The library says keep-alive with a stream of events; whether the connection stays is between the client and Node.
    answer.headers.delete("connection");
    for (const [name, value] of answer.headers) void reply.header(name, value);
    const bytes = Buffer.from(await answer.arrayBuffer());
    // A notice is taken without an answer, which then has no type.
    return reply.code(answer.status).send(bytes.length === 0 ? undefined : bytes);
  });
}

const foreignOrigin = () =>
  new AppError("FORBIDDEN", {
    explanation: "a page of another site may not call this server",
    details: [{ path: "Origin", message: "is not of this server" }],
  });

/** A browser names the page that calls. Programs name none. */
function isOurs({ headers }: FastifyRequest, publicUrl: string): boolean {
  if (headers.origin === undefined) return true;
  const origin = URL.parse(headers.origin);
  const ours = URL.parse(publicUrl);
  if (!origin || !ours) return false;
  const host = origin.hostname.replace(/^\[|\]$/g, "");
  const isLoopback =
    host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
  return isLoopback || origin.origin === ours.origin;
}

interface Refused {
  readonly status: number;
  readonly id: unknown;
  readonly error: { readonly code: number; readonly message: string };
}

/** The body as JSON, or the error of JSON-RPC for one that cannot be read or is not served. Throws UNSUPPORTED_MEDIA_TYPE. */
function read(request: FastifyRequest): {
  readonly body: unknown;
  readonly refused: Refused | null;
} {
  try {
    const body = readJsonBody(request);
    return { body, refused: refusalOf(body) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "UNSUPPORTED_MEDIA_TYPE") throw error;
    const code = error.code === "MALFORMED_JSON" ? -32700 : -32600;
    return {
      body: null,
      refused: { status: 400, id: null, error: { code, message: error.message } },
    };
  }
}

/**
 * A stream that stays open is not offered: nothing changes that an assistant must hear at once. Nor are batches, which both
 * revisions are without: a hundred calls would count as one of the key's requests.
 */
function refusalOf(body: unknown): Refused | null {
  if (Array.isArray(body))
    return { status: 400, id: null, error: { code: -32600, message: "Batches are not served" } };
  if (typeof body !== "object" || body === null || !("method" in body)) return null;
  const id: unknown = "id" in body ? body.id : null;
  if (body.method === "subscriptions/listen")
    return { status: 200, id, error: { code: -32601, message: "Method not found" } };
  const message = faultOfParams(body.method, "params" in body ? body.params : undefined);
  return message === null ? null : { status: 200, id, error: { code: -32602, message } };
}

/** What some methods need. For these the library would answer a fault of the client as one of the server (-32603). */
const NEEDED: ReadonlyMap<unknown, Readonly<Record<string, "string" | "object">>> = new Map([
  ["initialize", { protocolVersion: "string", capabilities: "object", clientInfo: "object" }],
  ["resources/read", { uri: "string" }],
] as const);

/** Which member of a method's params is missing or of another type, in words; or null. */
function faultOfParams(method: unknown, params: unknown): string | null {
  const given = new Map(
    typeof params === "object" && params !== null ? Object.entries(params) : [],
  );
  const wrong = Object.entries(NEEDED.get(method) ?? {}).find(([name, type]) => {
    const value: unknown = given.get(name);
    return typeof value !== type || value === null;
  });
  return wrong ? `Invalid params: ${wrong[0]} must be of the type ${wrong[1]}` : null;
}

function requestOf({ headers, url }: FastifyRequest, body: unknown): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    // The key is proven, and nothing behind this needs it.
    typeof value === "string" && !["authorization", "content-length", "connection"].includes(name)
      ? [[name, value]]
      : [],
  );
  return new Request(new URL(url, "http://mcp.invalid"), {
    method: "POST",
    headers: given,
    body: JSON.stringify(body),
  });
}
