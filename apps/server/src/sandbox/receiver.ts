import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Clock } from "../lib/clock.ts";

/** The path by which the demo's endpoint is recognised after a restart. */
export const RECEIVER_PATH = "/sandbox/receiver";
const MAX_BODY = 1024 * 1024;
const KEPT = 50;
const TOLERANCE_S = 300;

/** A delivery with a valid signature. */
export interface Received {
  readonly at: string;
  readonly type: string;
  readonly event: unknown;
}

/**
 * What a customer of Parley would build: it receives webhooks, checks their signature as the documentation says, and
 * shows the latest.
 */
export interface Receiver {
  readonly url: string;
  received(): readonly Received[];
  close(): Promise<void>;
}

/**
 * True when the header's signature covers these exact bytes and is at most five minutes old (spec, Webhook endpoint
 * requirements and signing). It was written from the spec, not from the code that signs.
 */
export function isSigned(header: string, body: Buffer, secret: string, now: Date): boolean {
  const parts = header.split(",").map((part) => part.trim().split("=", 2));
  const t = parts.find(([key]) => key === "t")?.[1] ?? "";
  if (!/^\d+$/.test(t) || Math.abs(now.getTime() / 1000 - Number(t)) > TOLERANCE_S) return false;
  const expected = createHmac("sha256", secret).update(`${t}.`).update(body).digest();
  return parts.some(([key, value]) => {
    const given = Buffer.from(value ?? "", "hex");
    return key === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/**
 * Starts the receiver on loopback, on `port` or else on any free one. POST receives a webhook, and GET of the same path
 * lists what came.
 */
export async function startReceiver(options: {
  readonly port: number;
  readonly clock: Clock;
  readonly secret: () => string | null;
  readonly onReceived: (received: Received) => void;
}): Promise<Receiver> {
  const kept: Received[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const answer = (status: number, text: string, type = "text/plain") =>
      response.writeHead(status, { "content-type": `${type}; charset=utf-8` }).end(text);
    // The Host must be a loopback name too, so that no web page can read this through a host name of its own.
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ""))
      return answer(403, "forbidden");
    if (request.url !== RECEIVER_PATH) return answer(404, "not found");
    if (request.method === "GET")
      return answer(200, `${JSON.stringify(kept.toReversed(), null, 2)}\n`, "application/json");
    const secret = options.secret();
    const header = request.headers["x-service-signature"];
    const now = options.clock.now();
    if (secret === null || typeof header !== "string" || !isSigned(header, body, secret, now))
      return answer(401, "the signature is not right");
    const event: unknown = JSON.parse(body.toString("utf8"));
    const named = typeof event === "object" && event !== null && "type" in event;
    const received = { at: now.toISOString(), type: named ? String(event.type) : "", event };
    kept.push(received);
    if (kept.length > KEPT) kept.shift();
    options.onReceived(received);
    return answer(200, "ok");
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY) request.destroy();
      else chunks.push(chunk);
    });
    request.on("end", () => {
      try {
        handle(request, response, Buffer.concat(chunks));
      } catch {
        response.writeHead(400).end();
      }
    });
    request.on("error", () => response.destroy());
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        server.removeListener("error", reject);
        resolve();
      });
    });
  await listen(options.port).catch(() => listen(0));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const url = `http://127.0.0.1:${port}${RECEIVER_PATH}`;
  return {
    url,
    received: () => kept,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
