import { PassThrough, type Readable } from "node:stream";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import {
  serveStdio,
  StdioServerTransport,
  type StdioServerHandle,
} from "@modelcontextprotocol/server/stdio";
import type { Principal } from "../../api-keys/api-key.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { mcpServer } from "./serve-mcp.ts";

/** How long answers are waited for after the end of the input. A subscription has none. */
const LAST_ANSWERS_MS = 5_000;

/**
 * Serves one assistant over standard input and output, as `serveOver`, until either ends. What was asked before the end of
 * the input is answered. Throws for a line that is too long to be held.
 */
export async function serveOverStdio(
  context: Context,
  prove: () => Promise<Principal>,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const input = new PassThrough();
  const transport = new StdioServerTransport(input, process.stdout);
  const handle = await serveOver(context, prove, transport);
  endWhenAnswered(process.stdin, input, transport);
  const { onclose, onerror } = transport;
  // It closes itself at the end of its input, behind a line that is too long, and when its output is read no more.
  transport.onclose = () => {
    onclose?.();
    ended.resolve();
  };
  transport.onerror = (error) => {
    onerror?.(error);
    if (error.message.includes("maximum size")) ended.reject(error);
  };
  try {
    await ended.promise;
  } finally {
    await handle.close();
    input.destroy();
    process.stdin.destroy();
  }
}

/**
 * Gives the transport what `from` has, and its end when every request is answered: the transport closes itself at its end, and
 * gives no answer any more.
 */
function endWhenAnswered(from: Readable, to: PassThrough, transport: Transport): void {
  const open = new Set<RequestId>();
  let over = false;
  const judge = () => {
    if (over && open.size === 0 && to.readableLength === 0) to.end();
  };
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if ("method" in message && "id" in message) open.add(message.id);
    onmessage?.(message, extra);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message: JSONRPCMessage, options) => {
    await send(message, options);
    if ("method" in message || message.id === undefined) return;
    open.delete(message.id);
    judge();
  };
  from.pipe(to, { end: false });
  from.once("error", () => to.end());
  // What was read is handed over before it is counted.
  from.once("end", () =>
    setImmediate(() => {
      over = true;
      judge();
      const last = setTimeout(() => to.end(), LAST_ANSWERS_MS);
      to.once("close", () => clearTimeout(last));
    }),
  );
}

/**
 * Serves one assistant over a transport that stays open. `prove` gives the key's rights, and throws when it is
 * none: it is asked at the start and for each call, so that a revoked key ends at once.
 */
export async function serveOver(
  context: Context,
  prove: () => Promise<Principal>,
  transport: Transport,
): Promise<StdioServerHandle> {
  const principal = await prove();
  // As at the door of HTTP (spec, Limits).
  const rate = { limit: 120, windowMs: 60_000 } as const;
  const proven = async () => {
    const { allowed, resetMs } = await context.rateLimits.take(`key:${principal.keyId}`, rate);
    if (!allowed)
      throw new AppError("RATE_LIMITED", { retryAfterSeconds: Math.ceil(resetMs / 1000) });
    return prove();
  };
  return serveStdio(() => mcpServer({ context, principal, prove: proven }), { transport });
}
