import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { faultAccepts, type Fault } from "./fault.ts";
import { cut, flood, halves } from "./spoilt-body.ts";

/** An answer before it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A call as the handlers see it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export function json(status: number, value: unknown, headers?: Record<string, string>): Answer {
  return {
    status,
    headers: { "content-type": "application/json; charset=UTF-8", ...headers },
    body: JSON.stringify(value),
  };
}

/** The HTTP side of an emulator: its own port, bounded bodies, answers that can be held back and cut. */
export interface EmulatorServer {
  readonly url: string;
  /** Answers every delayed call now and cuts every hanging one. */
  release(): void;
  close(): Promise<void>;
}

/** What a handler gives back: an answer, and the fault that changes it. */
export interface Handled {
  readonly answer: Answer;
  readonly fault?: Fault | null;
}

export async function listen(options: {
  host: string;
  port: number;
  maxBodyBytes: number;
  handle: (call: Call) => Promise<Handled> | Handled;
}): Promise<EmulatorServer> {
  const held = new Map<() => void, NodeJS.Timeout | null>();
  const server: Server = createServer((request, response) => {
    readBody(request, options.maxBodyBytes)
      .then(
        async (body) => {
          if (!body) return send(response, json(413, { error: { message: "body too large" } }));
          const at = request.url ?? "/";
          if (!fromHere(request))
            return send(response, json(403, { error: { message: "forbidden" } }));
          const mark = at.indexOf("?");
          const handled = await options.handle({
            method: request.method ?? "GET",
            path: mark < 0 ? at : at.slice(0, mark),
            query: new URLSearchParams(mark < 0 ? "" : at.slice(mark + 1)),
            headers: request.headers,
            body,
          });
          if (handled.fault) spoil(request, response, handled.answer, handled.fault, held);
          else send(response, handled.answer);
        },
        () => response.destroy(),
      )
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        send(response, json(500, { error: { message: `emulator defect: ${message}` } }));
      });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => resolve());
  });
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : options.port;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  const release = () => {
    for (const [finish, timer] of held) {
      if (timer) clearTimeout(timer);
      finish();
    }
    held.clear();
  };
  return {
    url: `http://${host}:${port}`,
    release,
    async close() {
      release();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** No page in a browser may use the emulator, neither by a name that resolves to us nor across origins. */
function fromHere(request: IncomingMessage): boolean {
  const host = (request.headers.host ?? "").replace(/:\d+$/, "");
  const named = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
  return named && request.headers.origin === undefined;
}

function readBody(request: IncomingMessage, most: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) chunks.push(chunk);
    });
    request.on("end", () => resolve(size > most ? null : Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(new Error("closed")));
  });
}

function send(response: ServerResponse, answer: Answer): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(answer.status, {
    ...answer.headers,
    "content-length": String(Buffer.byteLength(answer.body)),
  });
  response.end(answer.body);
}

function spoil(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  fault: Fault,
  held: Map<() => void, NodeJS.Timeout | null>,
): void {
  switch (fault.kind) {
    case "drop":
      request.socket.destroy();
      return;
    case "hang":
      held.set(() => request.socket.destroy(), null);
      return;
    case "delay": {
      const finish = () => {
        held.delete(finish);
        send(response, answer);
      };
      held.set(finish, setTimeout(finish, fault.delayMs ?? 1000));
      return;
    }
    case "status":
      send(response, {
        status: fault.status ?? 500,
        headers: { "content-type": "text/plain", ...fault.headers },
        body: fault.body ?? "",
      });
      return;
    case "html":
      send(response, {
        status: fault.status ?? 200,
        headers: { "content-type": "text/html; charset=utf-8", ...fault.headers },
        body:
          fault.body ??
          "<!DOCTYPE html><html><body><h1>Sorry, something went wrong.</h1></body></html>",
      });
      return;
    case "empty":
      send(response, { status: fault.status ?? 200, headers: fault.headers ?? {}, body: "" });
      return;
    case "truncated": {
      // A whole answer with half a document: the length is right, the JSON is broken.
      const text = answer.body.toString();
      send(response, { ...answer, body: text.slice(0, Math.ceil(text.length / 2)) });
      return;
    }
    case "redirect":
      send(response, {
        status: fault.status ?? 302,
        headers: { location: fault.location ?? "http://127.0.0.1:9/elsewhere", ...fault.headers },
        body: "",
      });
      return;
    case "slow": {
      const finish = halves(response, answer);
      const later = () => {
        held.delete(later);
        finish();
      };
      held.set(later, setTimeout(later, fault.delayMs ?? 1000));
      return;
    }
    case "cut":
      cut(response, answer);
      return;
    case "oversize":
      flood(response, answer, fault.bytes ?? 64 * 1024 * 1024);
      return;
    case "as":
    case "code":
      // The handler has already made the platform's own error.
      send(response, answer);
      return;
    default:
      fault.kind satisfies never;
  }
}

/** True when the handler should run the effect of a call that `fault` hits. */
export function effective(fault: Fault | null): boolean {
  return fault === null || faultAccepts(fault);
}

/** One call in the journal. */
export interface SeenRequest {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
  /** The fault that changed the answer. */
  readonly fault: string | null;
}

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

/** Refuses to listen where others could reach it. */
export function loopback(host: string | undefined): string {
  const at = host ?? "127.0.0.1";
  if (!LOOPBACK.has(at) && !at.startsWith("127."))
    throw new Error(`an emulator listens on loopback only, not on ${at}`);
  return at;
}
