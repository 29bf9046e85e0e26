import { keyActor } from "../apps/server/src/api-keys/api-key.ts";
import Fastify, { type FastifyInstance } from "fastify";
import type { Context } from "../apps/server/src/context.ts";
import { serveRoutes } from "../apps/server/src/http/edge/serve.ts";
import { keyDoor } from "../apps/server/src/http/v1/key-door.ts";
import { routes } from "../apps/server/src/http/v1/routes.ts";
import { idAt, WORKSPACE } from "./seed.ts";

/** The workspace whose list is asked for: the one with keys enough. */
const CHECKED = 1;

/**
 * One route twice on one bare server: as the API registers it, with credential and rate limit, and its handler alone.
 */
export async function registerCheckless(context: Context): Promise<FastifyInstance> {
  const fastify = Fastify({ logger: false });
  const list = routes.filter((route) => route.operationId === "listContacts");
  const principal = {
    workspaceId: idAt(CHECKED, WORKSPACE),
    keyId: idAt(CHECKED, 1),
    publicKey: "bench",
    scopes: [],
  };
  fastify.decorateRequest("admitted", null);
  await fastify.register(async (api) => serveRoutes(api, context, keyDoor(context), list), {
    prefix: "/with",
  });
  fastify.get("/without/contacts", (_request, reply) => {
    void reply.type("application/json; charset=utf-8");
    const call = {
      context,
      principal,
      actor: keyActor(principal),
      params: {},
      query: {},
      body: {},
      setHeader: () => {},
      once: () => ({}),
      begun: () => ({}),
    };
    return list[0]?.handler(call) ?? Promise.reject(new Error("no such route"));
  });
  await fastify.listen({ host: "127.0.0.1", port: 0 });
  return fastify;
}
