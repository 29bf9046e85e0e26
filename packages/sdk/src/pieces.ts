import { failed } from "./answer.ts";
import type { CallOptions, Request } from "./call.ts";
import { ParleyError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/**
 * A file as it arrives. Until its first byte it is tried again as a call is. A connection that breaks later, or is silent
 * for `timeoutMs`, is a ParleyError: what was read until then is no whole file.
 */
export async function* readPieces(
  transport: Transport,
  request: Request,
  options: CallOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { signal } = options;
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const reader = (await open(transport, request, options, stop.signal)).getReader();
    for (;;) {
      const timer = setTimeout(abort, options.timeoutMs ?? transport.timeoutMs);
      let piece: Awaited<ReturnType<typeof reader.read>>;
      try {
        piece = await reader.read();
      } catch (cause) {
        signal?.throwIfAborted();
        const hint = "the file was cut off";
        throw failed("CONNECTION_FAILED", { attempts: 1, idempotencyKey: null, cause, hint });
      } finally {
        clearTimeout(timer);
      }
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    stop.abort();
  }
}

async function open(
  transport: Transport,
  request: Request,
  options: CallOptions,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const until = await transport.begin(options);
  for (let attempt = 1; ; attempt++)
    try {
      return await transport.open(request, options, signal, attempt, { accept: "*/*" });
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      if (!(await transport.again(request, error, attempt, until, options))) throw error;
    }
}
