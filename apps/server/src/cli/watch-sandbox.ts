import type { PhoneEntry } from "../lib/sandbox-slot.ts";
import { findPhone, isPhone, listLines } from "../sandbox/list-lines.ts";
import { NO_SANDBOX, reachSandbox } from "../sandbox/sandbox-client.ts";
import { withApp } from "./open-app.ts";

interface Watched {
  readonly type: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Prints what the phones of sandbox channels show until Ctrl-C, which ends it with status 0. Prints plain lines, or
 * with `json` one document per line. Throws one line when no server runs, at the start or later.
 */
export async function watchSandbox(options: {
  readonly channel?: string;
  readonly json?: boolean;
}): Promise<void> {
  // The database is left before the long wait begins.
  const watched = await withApp(async (app): Promise<Watched[]> => {
    const lines =
      options.channel === undefined
        ? (await listLines(app)).filter(isPhone)
        : [await findPhone(app, options.channel)];
    if (lines.length === 0)
      throw new Error("there is no sandbox channel: add one with `parley sandbox add`");
    return Promise.all(
      lines.map(async ({ id, type }) => {
        const { address, headers } = await reachSandbox(app, id);
        return { type, url: `${address}/stream?after=0`, headers };
      }),
    );
  });
  const halt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => halt.abort());
  await Promise.race(watched.map((one) => follow(one, options, halt.signal)));
  if (!halt.signal.aborted) throw new Error("the server has ended");
}

async function follow(
  { type, url, headers }: Watched,
  options: { readonly json?: boolean },
  signal: AbortSignal,
): Promise<void> {
  try {
    const answer = await fetch(url, { headers, signal });
    if (!answer.ok || answer.body === null) throw new Error(NO_SANDBOX);
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of answer.body) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      // Pings and the end of the stream are skipped.
      for (const line of lines) if (line.startsWith('data: {"kind"')) show(type, line, options);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function show(type: string, line: string, options: { readonly json?: boolean }): void {
  const entry = JSON.parse(line.slice("data: ".length)) as PhoneEntry;
  const text = options.json ? JSON.stringify({ type, ...entry }) : describe(type, entry);
  process.stdout.write(`${text}\n`);
}

/** 15:04:05 WHATSAPP 96550001234 ← Yes, it is. */
function describe(type: string, entry: PhoneEntry): string {
  const head = `${entry.at.slice(11, 19)} ${type} ${entry.customer}`;
  switch (entry.kind) {
    case "message": {
      const words = entry.text ?? "";
      const kind = entry.type === "text" ? "" : `[${entry.type}] `;
      return `${head} ${entry.by === "business" ? "←" : "→"} ${kind}${oneLine(words)}`;
    }
    case "tick":
      return `${head} ${entry.status === "read" ? "✓✓ read" : "✓✓ delivered"}`;
    case "typing":
      return `${head} ${entry.active ? "… typing" : "… no longer typing"}`;
    default:
      return entry satisfies never;
  }
}

// Nothing that a customer or an agent writes may control the terminal.
const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ");
