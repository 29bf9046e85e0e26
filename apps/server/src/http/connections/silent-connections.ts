import type { Server } from "node:http";

/**
 * How long a stopping server waits for open connections that have not asked for anything yet. If they were closed
 * at once, a connection accepted a moment ago, with its request on the way, would be cut without an answer.
 */
const GRACE_MS = 250;

/** Closes silent connections a moment after the server stops, not with it: requests that come meanwhile are served. */
export function graceSilentConnections(server: Server, graceMs = GRACE_MS): void {
  const close = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => void setTimeout(close, graceMs);
}
