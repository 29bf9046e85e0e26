import type { FastifyReply } from "fastify";
import type { PhoneEntry, SandboxLine } from "../../lib/sandbox-slot.ts";

const PING_MS = 20_000;

/**
 * What the phones show from now on, and since `after`, as server-sent events: `id` is the cursor, `event` the kind. A
 * reader that comes back with the last cursor misses nothing. Gives what ends the stream.
 */
export function streamLine(
  line: SandboxLine,
  query: { readonly after: number | undefined; readonly customer: string | undefined },
  reply: FastifyReply,
): () => void {
  const { raw } = reply.hijack();
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  const write = (entry: PhoneEntry) => {
    if (query.customer !== undefined && query.customer !== entry.customer) return;
    raw.write(`id: ${entry.cursor}\nevent: ${entry.kind}\ndata: ${JSON.stringify(entry)}\n\n`);
  };
  // Told at once, so that a reader knows that it listens.
  raw.write(": open\n\n");
  if (query.after !== undefined)
    for (const entry of line.thread({ after: query.after, limit: 1_000 })) write(entry);
  const quiet = line.listen(write);
  const ping = setInterval(() => raw.write("event: ping\ndata: {}\n\n"), PING_MS);
  const end = () => {
    quiet();
    clearInterval(ping);
    raw.end();
  };
  raw.on("close", end);
  return end;
}
