import assert from "node:assert/strict";

/** One frame of server-sent events. */
export interface Frame {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

/** Reads a stream of server-sent events as a client does: frame by frame, comments left out. */
export interface EventReader extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** The id of the last frame or comment that had one: what a reader comes back with. */
  readonly lastId: string | null;
  /** The next frame, or null at the end of the stream. */
  next(): Promise<Frame | null>;
}

export async function readEvents(
  url: string,
  headers: Record<string, string>,
): Promise<EventReader> {
  const halt = new AbortController();
  const response = await fetch(url, { headers, signal: halt.signal });
  assert.ok(response.body);
  const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let lastId: string | null = null;
  return {
    status: response.status,
    headers: response.headers,
    get lastId() {
      return lastId;
    },
    async next() {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end < 0) {
          const { done, value } = await chunks.read();
          if (done) return null;
          text += value;
          continue;
        }
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;
        lastId = field("id") ?? lastId;
        const data = field("data");
        if (data !== null) return { event: field("event") ?? "message", id: field("id"), data };
      }
    },
    async [Symbol.asyncDispose]() {
      halt.abort();
      await chunks.cancel().catch(() => {});
    },
  };
}
