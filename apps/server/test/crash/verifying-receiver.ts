import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** What one endpoint got, by the event's id. */
export interface Inbox {
  readonly received: Map<string, { body: string; sequence: number; times: number }>;
  /** Requests whose signature, stamp or ids do not fit. */
  readonly faults: string[];
  requests: number;
}

/**
 * A customer's webhook receiver that outlives the server. It checks every request with nothing but the specification:
 * the digest over the raw body in both forms, the stamp within 300 seconds, the same bytes at every repetition.
 */
export class VerifyingReceiver implements AsyncDisposable {
  readonly #secrets = new Map<string, string>();
  readonly #inboxes = new Map<string, Inbox>();
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      this.#take(request.url ?? "", request.headers, Buffer.concat(chunks));
      response.writeHead(204).end();
    });
  });

  static async start(): Promise<VerifyingReceiver> {
    const receiver = new VerifyingReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The endpoint of this path signs with that secret from now on. */
  expect(path: string, secret: string): Inbox {
    const inbox: Inbox = { received: new Map(), faults: [], requests: 0 };
    this.#secrets.set(path, secret);
    this.#inboxes.set(path, inbox);
    return inbox;
  }

  #take(path: string, headers: IncomingHttpHeaders, raw: Buffer): void {
    const inbox = this.#inboxes.get(path);
    if (!inbox) return;
    inbox.requests++;
    const body = raw.toString("utf8");
    const event = JSON.parse(body) as { id: string; sequence: number };
    const fault = faultOf(headers, raw, this.#secrets.get(path) ?? "", event.id);
    if (fault) inbox.faults.push(`${event.id} ${fault}`);
    const known = inbox.received.get(event.id);
    if (known) {
      known.times++;
      if (known.body !== body) inbox.faults.push(`${event.id} came with other bytes`);
    } else inbox.received.set(event.id, { body, sequence: event.sequence, times: 1 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function faultOf(
  headers: IncomingHttpHeaders,
  raw: Buffer,
  secret: string,
  id: string,
): string | null {
  const [, t = "", v1] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-service-signature"])) ?? [];
  if (v1 !== createHmac("sha256", secret).update(`${t}.`).update(raw).digest("hex"))
    return "is not signed by X-Service-Signature";
  if (Math.abs(Date.now() / 1_000 - Number(t)) > 300) return "has an old stamp";
  if (headers["webhook-id"] !== id || headers["webhook-timestamp"] !== t)
    return "has other ids in its headers";
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const standard = createHmac("sha256", key).update(`${id}.${t}.`).update(raw).digest("base64");
  return headers["webhook-signature"] === `v1,${standard}`
    ? null
    : "is not signed by webhook-signature";
}
