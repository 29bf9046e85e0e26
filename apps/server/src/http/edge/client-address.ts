import { isIPv4 } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * The address under which limits count a request. It is the connection's own. Behind a proxy of
 * `PARLEY_TRUSTED_PROXIES` it is the last address of `X-Forwarded-For` that is not such a proxy's, so a client
 * cannot change it by writing the header itself. Of IPv6 it is the first 64 bits, because a client commonly has
 * all addresses below them (RFC 6177). Empty for a connection that was cut.
 */
export function clientAddress(request: Pick<FastifyRequest, "ip">): string {
  // The library's type does not know of connections that are gone.
  const address: string | undefined = request.ip;
  return address === undefined ? "" : networkOf(address);
}

const NAMED = /^[\w.:+/=@-]{1,128}$/;

/**
 * The `X-Request-Id` that a proxy of `PARLEY_TRUSTED_PROXIES` set, to find the request in its log. Null when another client
 * wrote it, or when it is no id: it may hold anything.
 */
export function proxyRequestId({ ips, headers }: FastifyRequest): string | null {
  // The connection's own address is the first; more are named only when that is a trusted proxy's.
  const isProxied = ips !== undefined && ips.length > 1;
  const id = headers["x-request-id"];
  return isProxied && typeof id === "string" && NAMED.test(id) ? id : null;
}

/**
 * Takes the ports off the addresses in `X-Forwarded-For`, which some proxies write (`192.0.2.7:4711`, `[2001:db8::7]:4711`).
 * With them a client would be another one at each connection, and a proxy none of those that are trusted.
 */
export function dropForwardedPorts(fastify: FastifyInstance): void {
  fastify.addHook("onRequest", (request, _reply, done) => {
    const { headers } = request.raw;
    const forwarded = headers["x-forwarded-for"];
    if (forwarded !== undefined)
      headers["x-forwarded-for"] = [forwarded]
        .flat()
        .join(",")
        .split(",")
        .map(withoutPort)
        .join(", ");
    done();
  });
}

const withoutPort = (address: string): string =>
  address
    .trim()
    .replace(/^"?\[([\da-f:.%]+)\](?::\d{1,5})?"?$/i, "$1")
    .replace(/^((?:\d{1,3}\.){3}\d{1,3}):\d{1,5}$/, "$1");

/** An IPv4 address as it is, also when IPv6 carries it; of any other the first four groups. */
export function networkOf(address: string): string {
  const [bare = ""] = address.split("%", 1);
  const mapped = bare.replace(/^::ffff:/i, "");
  if (isIPv4(mapped)) return mapped;
  const [head = "", tail] = bare.split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const after = tail === "" ? 0 : tail.split(":").length;
    while (groups.length < Math.min(4, 8 - after)) groups.push("0");
    groups.push(...tail.split(":"));
  }
  const first = groups.slice(0, 4).map((group) => Number.parseInt(group || "0", 16).toString(16));
  return `${first.join(":")}::/64`;
}
