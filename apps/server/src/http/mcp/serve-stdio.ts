import type { Transport } from "@modelcontextprotocol/server";
import {
  serveStdio,
  StdioServerTransport,
  type StdioServerHandle,
} from "@modelcontextprotocol/server/stdio";
import type { Principal } from "../../api-keys/api-key.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { mcpServer } from "./serve-mcp.ts";

/**
 * Serves one assistant over standard input and output, as `serveOver`, until either ends. Throws for a line that is too long
 * to be held.
 */
export async function serveOverStdio(
  context: Context,
  prove: () => Promise<Principal>,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const transport = new StdioServerTransport();
  const handle = await serveOver(context, prove, transport);
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
    process.stdin.destroy();
  }
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
