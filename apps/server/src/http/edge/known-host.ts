import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { pathOf } from "./door.ts";

/**
 * What answers for any host, because no cookie opens it: programs with a key or a token, platforms, web chat, signed
 * files, probes (contract §6, Hosts). Everything else is for browsers.
 */
const ANY_HOST =
  /^\/(?:api\/v1|api\/openapi\.json|api\/flow\.schema\.json|hooks|chat|media|sandbox\/v1|healthz|readyz|metrics)(?:\/|$)/;

/**
 * Refuses pages, their calls and their streams under a name that is not ours. A foreign site can have its own name lead
 * to this address (DNS rebinding); its script would then count as one of our pages. The public address, `localhost` and
 * plain IP addresses are ours, with any port.
 */
export function refuseUnknownHosts(
  fastify: FastifyInstance,
  config: Pick<Config, "publicUrl">,
): void {
  fastify.addHook("onRequest", (request, reply, done) => {
    if (ANY_HOST.test(pathOf(request)) || isKnown(request, config)) return done();
    const error = new AppError("HOST_NOT_KNOWN", {
      details: [
        {
          path: "Host",
          message: `is not a name of this server; if it is, set PARLEY_PUBLIC_URL to the address that browsers use, and have the proxy pass the Host header on`,
        },
      ],
    });
    // A person at a browser reads a line, no JSON.
    if (!String(request.headers.accept ?? "").includes("text/html")) return done(error);
    reply.code(421).type("text/plain; charset=utf-8").send(`${error.message}\n`);
  });
}

function isKnown({ headers }: FastifyRequest, { publicUrl }: Pick<Config, "publicUrl">): boolean {
  const asked = nameIn(`http://${headers.host ?? ""}`);
  if (asked === null) return false;
  return asked === "localhost" || isIP(asked) !== 0 || asked === nameIn(publicUrl);
}

/** The host of an address in small letters, without the brackets of IPv6 and without the root's dot. */
function nameIn(address: string): string | null {
  const host = URL.parse(address)?.hostname;
  return host?.replace(/^\[|\]$/g, "").replace(/\.$/, "") ?? null;
}
