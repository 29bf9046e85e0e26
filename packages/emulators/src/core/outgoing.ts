import { Agent, request as httpRequest } from "node:http";
import { Agent as TlsAgent, request as httpsRequest } from "node:https";

export interface CallResult {
  /** Null when no answer came. */
  readonly status: number | null;
  readonly body: string;
  /** The answer's headers; names in lower case. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

/** Calls the receiver of our webhooks. */
export interface Outgoing {
  call(
    method: "GET" | "POST",
    url: string,
    headers: Readonly<Record<string, string>>,
    body?: Buffer,
  ): Promise<CallResult>;
  close(): void;
}

const MAX_ANSWER = 64 * 1024;

/** Keeps connections open. Never throws: without an answer the status is null. */
export function createOutgoing(timeoutMs: number): Outgoing {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const tlsAgent = new TlsAgent({ keepAlive: true, maxSockets: 64 });
  return {
    call(method, url, headers, body) {
      const { promise, resolve } = Promise.withResolvers<CallResult>();
      const none = () => resolve({ status: null, body: "" });
      try {
        const secure = url.startsWith("https:");
        const request = (secure ? httpsRequest : httpRequest)(url, {
          method,
          agent: secure ? tlsAgent : agent,
          headers: { ...headers, ...(body ? { "content-length": String(body.length) } : {}) },
          signal: AbortSignal.timeout(timeoutMs),
        });
        request.on("error", none);
        request.on("response", (response) => {
          const chunks: Buffer[] = [];
          let size = 0;
          response.on("data", (chunk: Buffer) => {
            size += chunk.length;
            if (size <= MAX_ANSWER) chunks.push(chunk);
          });
          response.on("error", none);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? null,
              body: Buffer.concat(chunks).toString("utf8"),
              headers: response.headers,
            }),
          );
        });
        request.end(body);
      } catch {
        // The text is not an address.
        none();
      }
      return promise;
    },
    close() {
      agent.destroy();
      tlsAgent.destroy();
    },
  };
}
