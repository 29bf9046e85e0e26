import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { buffer } from "node:stream/consumers";

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
  readonly chunks?: readonly string[];
  readonly sse?: readonly string[];
  readonly results?: true;
  readonly break?: true;
  readonly cut?: true;
  readonly hang?: true;
}

export interface Call {
  readonly noun: string;
  readonly method: string;
  readonly ids?: readonly string[];
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly count?: number;
  readonly take?: number;
  readonly times?: number;
}

export interface Case {
  readonly name: string;
  readonly call: Call;
  readonly client?: {
    readonly waitForRateLimit?: boolean;
    readonly giveUpAfterMs?: number;
    readonly maxRetries?: number;
  };
  /** It is called where nothing listens. */
  readonly closed?: true;
  readonly options?: {
    readonly idempotencyKey?: string;
    readonly maxRetries?: number;
    readonly timeoutMs?: number;
    readonly mediaType?: string;
    readonly ifMatch?: string;
  };
  readonly answers: readonly Answer[];
  readonly waits: readonly number[];
  readonly want: {
    readonly gives?: unknown;
    readonly fails?: Readonly<Record<string, unknown>>;
    readonly mistake?: true;
    readonly pairs?: number;
    readonly gaps?: readonly unknown[];
    readonly rate?: unknown;
    readonly warns?: readonly string[];
    readonly keys?: readonly (string | null)[];
    readonly paths?: readonly string[];
    readonly queries?: readonly Readonly<Record<string, string>>[];
    readonly bodies?: readonly unknown[];
    readonly types?: readonly string[];
    readonly lastIds?: readonly (string | null)[];
    readonly versions?: readonly (string | null)[];
  };
}

/** An address where nothing listens: the port is reserved, and no program has it. */
export const CLOSED = "http://127.0.0.1:2/api";

export interface Hook {
  readonly name: string;
  readonly body: string;
  readonly headers: string | Readonly<Record<string, string>> | null;
  readonly secret: string | readonly string[] | null;
  /** Unix seconds. */
  readonly now: number;
  readonly toleranceSeconds?: number;
  /** A turn of a bot, in place of an event. */
  readonly turn?: true;
  readonly want: string | { readonly event: string };
}

export const CASES = path.join(import.meta.dirname, "cases.json");

export function readCases(): {
  readonly calls: readonly Case[];
  readonly webhooks: readonly Hook[];
} {
  return JSON.parse(readFileSync(CASES, "utf8")) as ReturnType<typeof readCases>;
}

/** What a client says of one case. */
export interface Said {
  readonly gives?: unknown;
  readonly fails?: Readonly<Record<string, unknown>>;
  readonly mistake?: true;
  /** What was given before a failure. */
  readonly items?: readonly unknown[];
  readonly waits: readonly number[];
  readonly gaps: readonly unknown[];
  /** What the person who runs the program sees without asking for it. */
  readonly warns: readonly string[];
  readonly rate?: unknown;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly key: string | null;
  readonly type: string | null;
  readonly lastId: string | null;
  readonly version: string | null;
  readonly authorization: string | null;
  readonly body: string;
}

/** A server that answers case N below `/case/N/api` as the table says, and keeps what it was sent. */
export async function startStand(cases: readonly Case[]) {
  const sent = new Map<number, Sent[]>();
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, number = "", rest = ""] = /^\/case\/(\d+)\/api(.*)$/.exec(request.url ?? "") ?? [];
    const body = (await buffer(request).catch(() => Buffer.alloc(0))).toString();
    const all = sent.get(Number(number)) ?? [];
    sent.set(Number(number), all);
    const [at = "", search = ""] = rest.split("?");
    const said = (name: string) => request.headers[name]?.toString() ?? null;
    all.push({
      method: request.method ?? "",
      path: at,
      query: Object.fromEntries(new URLSearchParams(search)),
      key: said("idempotency-key"),
      type: said("content-type"),
      lastId: said("last-event-id"),
      version: said("if-match"),
      authorization: said("authorization"),
      body,
    });
    const given = cases[Number(number)]?.answers[all.length - 1];
    if (!given) response.writeHead(400).end('{"message":"NO_SUCH_ANSWER"}');
    else give(given, body, request, response);
  }
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    /** What was sent of case N since it was last asked. */
    take(number: number): readonly Sent[] {
      const all = sent.get(number) ?? [];
      sent.delete(number);
      return all;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function give(
  given: Answer,
  body: string,
  { socket }: IncomingMessage,
  response: ServerResponse,
): void {
  if (given.hang) return;
  if (given.break) return void socket.destroy();
  if (given.sse) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const one of given.sse) response.write(one);
    return void response.end();
  }
  if (given.chunks) {
    response.writeHead(given.status ?? 200, given.headers);
    for (const one of given.chunks) response.write(one);
    // What was written leaves before the connection breaks.
    if (given.cut) setImmediate(() => socket.destroySoon());
    else response.end();
    return;
  }
  if (given.cut) {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    return void response.write('{"half":', () => socket.destroySoon());
  }
  const text = given.results
    ? JSON.stringify({ results: resultsOf(body) })
    : (given.text ?? JSON.stringify(given.body));
  response.writeHead(given.status ?? 200, {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    ...given.headers,
  });
  response.end(text);
}

/** One result for each item of a batch. */
function resultsOf(body: string): readonly unknown[] {
  const [items = []] = Object.values(JSON.parse(body) as Record<string, { name: string }[]>);
  return items.map((one) => ({ outcome: "accepted", of: one.name }));
}
