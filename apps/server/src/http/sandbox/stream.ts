import type { Writable } from "node:stream";
import type { PhoneEntry, SandboxLine } from "../../lib/sandbox-slot.ts";
import { LiveStream, type LiveFrame } from "../edge/live-stream.ts";

const PING_MS = 20_000;
const PAGE = 100;
const MOST_BUFFERED = 1024 * 1024;

/**
 * What the phones show from now on, and since `after`, as server-sent events: `id` is the cursor, `event` the
 * kind. A reader that comes back with the last cursor misses nothing that the line still has. A reader that takes
 * nothing for a while (a stopped terminal) is awaited and never cut off, and misses nothing either. Gives a
 * function that ends the stream.
 */
export function streamLine(
  line: SandboxLine,
  query: { readonly after: number | undefined; readonly customer: string | undefined },
  response: Writable,
): () => void {
  const { customer } = query;
  const from = query.after ?? line.thread({ limit: 1 })[0]?.cursor ?? 0;
  const stream: LiveStream<number> = new LiveStream(response, from, {
    kind: "sandbox",
    mostBuffered: MOST_BUFFERED,
    read: async (after) => {
      const entries = line.thread({ after, customer, limit: PAGE });
      const next = entries.at(-1)?.cursor ?? after;
      return { frames: entries.map(asFrame), next, more: entries.length === PAGE };
    },
    // The thread is in memory.
    failed: () => {},
    ended: () => {
      quiet();
      clearInterval(ping);
    },
  });
  const quiet = line.listen((entry) => {
    if (customer === undefined || customer === entry.customer) stream.pump();
  });
  const ping = setInterval(() => stream.say("event: ping\ndata: {}\n\n"), PING_MS).unref();
  // Sent at once, so that a reader knows that it listens.
  stream.say(": open\n\n");
  stream.pump();
  return () => stream.end("shutdown");
}

const asFrame = (entry: PhoneEntry): LiveFrame<number> => ({
  place: entry.cursor,
  text: `id: ${entry.cursor}\nevent: ${entry.kind}\ndata: ${JSON.stringify(entry)}\n\n`,
});
