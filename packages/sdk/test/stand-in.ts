import type { Request } from "../src/call.ts";
import type { Surroundings } from "../src/surroundings.ts";
import { Transport, type Attempt, type TransportOptions } from "../src/transport.ts";

export type Answer = (sent: Sent) => Response | Promise<Response>;
export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** A server that answers what it is told, a clock that jumps over every wait, and chance that is always half. */
export class StandIn {
  readonly sent: Sent[] = [];
  readonly waits: number[] = [];
  readonly attempts: Attempt[] = [];
  readonly transport: Transport;
  at = 1_000_000;
  constructor(answers: readonly Answer[], options: Partial<TransportOptions> = {}) {
    const left = [...answers];
    const around: Surroundings = {
      now: () => this.at,
      random: () => 0.5,
      sleep: (ms, signal) => {
        signal?.throwIfAborted();
        this.waits.push(ms);
        this.at += ms;
        return Promise.resolve();
      },
    };
    const fetch = async (url: string | URL | globalThis.Request, init: RequestInit = {}) => {
      const sent = {
        url: url instanceof globalThis.Request ? url.url : url.toString(),
        method: init.method ?? "",
        headers: new Headers(init.headers),
        body: typeof init.body === "string" ? init.body : undefined,
        signal: init.signal ?? new AbortController().signal,
      };
      this.sent.push(sent);
      const answer = left.shift();
      if (!answer) throw new Error("nobody expected this request");
      return answer(sent);
    };
    this.transport = new Transport(
      {
        baseUrl: "https://parley.test/api",
        apiKey: "pk:sk",
        timeoutMs: 30_000,
        giveUpAfterMs: undefined,
        maxRetries: undefined,
        maxWaitMs: 60_000,
        waitForRateLimit: false,
        headers: {},
        fetch,
        onAttempt: (attempt) => this.attempts.push(attempt),
        ...options,
      },
      around,
    );
  }

  keys(): (string | null)[] {
    return this.sent.map((one) => one.headers.get("idempotency-key"));
  }
}

export const GET: Request = { id: "getUsage", method: "GET", path: "/v1/usage" };
export const POST: Request = {
  id: "sendMessage",
  method: "POST",
  path: "/v1/messages",
  body: { conversationId: "1", text: "é" },
  keyed: true,
};
export const PATCH: Request = { id: "updateContact", method: "PATCH", path: "/v1/x", body: {} };
export const PUT: Request = { ...PATCH, id: "putLabel", method: "PUT" };
export const DELETE: Request = { id: "deleteLabel", method: "DELETE", path: "/v1/x" };

export const says =
  (status: number, body: unknown = { fine: true }, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
export const refuses = (status: number, message: string, headers: Record<string, string> = {}) =>
  says(status, { statusCode: status, message }, { "x-request-id": "r-1", ...headers });
export const breaks: Answer = () => {
  throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
};
/** Nothing listens at the address: nothing was sent. */
export const meetsNothing: Answer = () => {
  throw new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
  });
};
/** Answers never; ends as fetch does when it is aborted. */
export const hangs: Answer = ({ signal }) =>
  new Promise((_resolve, reject) => {
    const abort = () => reject(new DOMException("aborted", "AbortError"));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
  });

/** Everything that is iterated. */
export async function collect<T>(from: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of from) all.push(one);
  return all;
}
