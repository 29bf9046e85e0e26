import assert from "node:assert/strict";
import { test } from "node:test";
import type { Request } from "../src/call.ts";
import { readStream } from "../src/stream.ts";
import { breaks, hangs, refuses, StandIn, type Answer } from "./stand-in.ts";

const STREAM: Request = { id: "streamEvents", method: "GET", path: "/v1/events/stream" };

/** Sends the chunks, then ends, or breaks. */
const streams =
  (chunks: readonly string[], end: "end" | "break" = "end"): Answer =>
  () => {
    const left = chunks.map((chunk) => new TextEncoder().encode(chunk));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = left.shift();
        if (next) controller.enqueue(next);
        else if (end === "end") controller.close();
        else controller.error(new TypeError("terminated"));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
const frame = (sequence: number, type = "contact.created") =>
  `id: ${sequence}\nevent: ${type}\ndata: {"sequence":${sequence},"text":"é"}\n\n`;

async function sequencesOf(server: StandIn, most: number, options = {}): Promise<number[]> {
  const found: number[] = [];
  for await (const event of readStream(server.transport, STREAM, options)) {
    found.push((event as { sequence: number }).sequence);
    if (found.length === most) break;
  }
  return found;
}
const lastIds = (server: StandIn) => server.sent.map((one) => one.headers.get("last-event-id"));

test("a stream that breaks is opened again after the last id, and nothing comes twice", async () => {
  const first = ['event: open\nid: 4\ndata: {"after":4}\n\n', frame(5), frame(6).slice(0, 9)];
  const server = new StandIn([streams(first, "break"), breaks, streams([frame(6) + frame(7)])]);
  assert.deepEqual(await sequencesOf(server, 3), [5, 6, 7]);
  assert.deepEqual(lastIds(server), [null, "5", "5"]);
  assert.equal(server.sent[0]?.headers.get("accept"), "text/event-stream");
});

test("frames are read whole wherever the bytes are cut, in a character too", async () => {
  const bytes = new TextEncoder().encode(`: ping\nid: 8\n\n${frame(9)}`);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const server = new StandIn([() => new Response(body)]);
  for await (const event of readStream(server.transport, STREAM, {})) {
    assert.deepEqual(event, { sequence: 9, text: "é" });
    break;
  }
});

test("a ping moves the place from which it is read on", async () => {
  const server = new StandIn([streams([": ping\nid: 41\n\n"]), streams([frame(42)])]);
  assert.deepEqual(await sequencesOf(server, 1), [42]);
  assert.deepEqual(lastIds(server), [null, "41"]);
});

test("a gap is told, a shut-down server is asked again, a replaced stream ends", async () => {
  const gaps: unknown[] = [];
  const server = new StandIn([
    streams(['event: gap\ndata: {"after":1,"oldestSequence":7}\n\n', frame(7), 'event: end\ndata: {"reason":"shutdown"}\n\n']),
    streams(['event: end\ndata: {"reason":"replaced"}\n\n']),
  ]); // oxfmt-ignore
  const read = sequencesOf(server, 9, { onGap: (gap: object) => gaps.push(gap) });
  await assert.rejects(read, { code: "STREAM_REPLACED" });
  assert.deepEqual(gaps, [{ after: 1, oldestSequence: 7 }]);
  assert.equal(server.sent.length, 2);
});

test("what no wait can mend ends the stream with its code, and so does too much failure in a row", async () => {
  const revoked = new StandIn([streams([frame(1)]), refuses(401, "INVALID_API_KEY")]);
  await assert.rejects(sequencesOf(revoked, 9), { code: "INVALID_API_KEY" });
  const gone = new StandIn([breaks, breaks, breaks]);
  await assert.rejects(sequencesOf(gone, 1, { maxRetries: 2 }), { code: "CONNECTION_FAILED" });
  assert.equal(gone.sent.length, 3);
});

test("a stream that was open is opened again however long the server is away; one that never was gives up", async () => {
  const away = Array.from({ length: 50 }, (_, n) => (n % 2 ? breaks : refuses(503, "OVERLOADED")));
  const server = new StandIn([streams([frame(5)]), ...away, streams([frame(6)])]);
  assert.deepEqual(await sequencesOf(server, 2), [5, 6]);
  assert.equal(Math.max(...server.waits), 6_000, "it asks every few seconds");
  const never = new StandIn(away);
  await assert.rejects(sequencesOf(never, 1), { attempts: 19 });
  const ended = new StandIn([streams([frame(5)]), breaks, refuses(401, "INVALID_API_KEY")]);
  await assert.rejects(sequencesOf(ended, 2), { code: "INVALID_API_KEY" });
});

test("a signal that ends while a stream is being opened ends it", async () => {
  const reason = new Error("enough");
  const stop = new AbortController();
  const server = new StandIn([hangs]);
  const read = sequencesOf(server, 1, { signal: stop.signal });
  stop.abort(reason);
  await assert.rejects(read, (thrown) => thrown === reason);
});

test("leaving a stream closes its connection; the signal ends it with its reason", async () => {
  const server = new StandIn([streams([frame(1), frame(2)])]);
  await sequencesOf(server, 1);
  assert.equal(server.sent[0]?.signal.aborted, true);
  const reason = new Error("enough");
  const stopped = new StandIn([streams([frame(1)])]);
  const read = sequencesOf(stopped, 2, { signal: AbortSignal.abort(reason) });
  await assert.rejects(read, (thrown) => thrown === reason);
  assert.equal(stopped.sent.length, 0);
});
