import type { Server } from "node:http";

/**
 * What a stopping server grants connections that are open and have not asked for anything yet. Closed at once, those that
 * were accepted a moment ago, and whose request is already on its way, would be cut without an answer.
 */
const GRACE_MS = 250;

/** Silent connections are closed a moment after the server stops, not with it: requests that come meanwhile are served. */
export function graceSilentConnections(server: Server, graceMs = GRACE_MS): void {
  const close = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => void setTimeout(close, graceMs);
}
