import { failed } from "./answer.ts";
import type { Request, StreamOptions } from "./call.ts";
import { ParleyError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** Three comments of the server that did not come: the connection is dead, whatever it looks like. */
const SILENCE_MS = 45_000;

/**
 * Events as they happen. A connection that ends is opened again after the last id, however long the server is away:
 * a reader of a stream wants it to outlast a restart. One that never opened gives up as a call does; so does every one
 * after `options.maxRetries` failures in a row, when they are given. Throws a ParleyError when it cannot go on, or the
 * signal's reason.
 */
export async function* readStream(
  transport: Transport,
  request: Request,
  options: StreamOptions,
): AsyncGenerator<unknown, void, undefined> {
  const { signal } = options;
  let lastId: string | null = null;
  let maxRetries = options.maxRetries;
  let until = await transport.begin(options);
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const abort = () => stop.abort();
    signal?.addEventListener("abort", abort, { once: true });
    let failure = failed("CONNECTION_FAILED", {
      attempts: attempt,
      idempotencyKey: null,
      hint: "the stream ended",
    });
    try {
      const headers = {
        accept: "text/event-stream",
        ...(lastId !== null && { "last-event-id": lastId }),
      };
      const body = await transport.open(request, options, stop.signal, attempt, headers);
      for await (const frame of framesOf(body, abort)) {
        attempt = 0;
        maxRetries ??= Infinity;
        until = Infinity;
        if (frame.id !== undefined) lastId = frame.id;
        if (frame.event === "gap") options.onGap?.(JSON.parse(frame.data));
        else if (frame.event === "end") {
          const replaced = (JSON.parse(frame.data) as { reason?: unknown }).reason === "replaced";
          if (replaced) throw failed("STREAM_REPLACED", { attempts: 1, idempotencyKey: null });
        } else if (frame.data !== "" && frame.event !== "open") yield JSON.parse(frame.data);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ParleyError)) throw error;
      failure = error;
    } finally {
      signal?.removeEventListener("abort", abort);
      stop.abort();
    }
    const again = transport.again(request, failure, attempt || 1, until, { signal, maxRetries });
    if (!(await again)) throw failure;
  }
}

interface Frame {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/** Server-sent events. Ends with the connection, however that ends: what is missing is asked for again. */
async function* framesOf(
  body: ReadableStream<Uint8Array>,
  giveUp: () => void,
): AsyncGenerator<Frame, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const timer = setTimeout(giveUp, SILENCE_MS);
    let chunk: Awaited<ReturnType<typeof reader.read>>;
    try {
      chunk = await reader.read();
    } catch {
      return;
    } finally {
      clearTimeout(timer);
    }
    if (chunk.done) return;
    rest += decoder.decode(chunk.value, { stream: true }).replaceAll("\r", "");
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      yield readFrame(rest.slice(0, end));
      rest = rest.slice(end + 2);
    }
  }
}

function readFrame(text: string): Frame {
  let event = "message";
  let id: string | undefined;
  const data: string[] = [];
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
    if (name === "event") event = value;
    else if (name === "id") id = value;
    else if (name === "data") data.push(value);
  }
  return { event, data: data.join("\n"), ...(id !== undefined && { id }) };
}
