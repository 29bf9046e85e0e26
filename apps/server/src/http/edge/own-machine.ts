import type { FastifyRequest } from "fastify";

/** A proxy names its client in one of these headers. */
const PROXY_HEADERS = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "forwarded",
  "x-real-ip",
  "via",
];

/** This machine under its own names. A foreign name that leads here, in a browser on this machine, does not count. */
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;

/**
 * Whether a request was made on this machine, to a loopback name or to `name`. A proxy on this machine forwards
 * strangers: it says so in a header, or it speaks HTTP/1.0, as nginx does without settings.
 */
export function isOwnMachine(request: FastifyRequest, name?: string): boolean {
  const { headers, raw, socket } = request;
  const host = headers.host ?? "";
  return (
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? "") &&
    (LOOPBACK_HOST.test(host) || (name !== undefined && host.split(":", 1)[0] === name)) &&
    raw.httpVersion !== "1.0" &&
    !PROXY_HEADERS.some((one) => headers[one] !== undefined)
  );
}
