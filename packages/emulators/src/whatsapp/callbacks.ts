import { CallbackQueue, type CallbackStats } from "../core/callback-queue.ts";
import type { SimClock } from "../core/clock.ts";
import { createOutgoing } from "../core/outgoing.ts";
import { Ring } from "../core/ring.ts";
import type { BusinessNumber } from "./changes.ts";
import { envelope, signed, type Change, type Signing } from "./envelope.ts";
import type { SeenWebhook, WhatsAppOptions } from "./options.ts";

interface Queued {
  readonly number: BusinessNumber;
  readonly change: Change;
}

/** The platform's calls to the numbers' callback addresses: queued, batched, signed, tried again. */
export class Callbacks {
  readonly #clock: SimClock;
  readonly #queue: CallbackQueue<Queued>;
  readonly #outgoing;
  readonly #seen: Ring<SeenWebhook>;
  #signing: { mode: Signing; left: number } = { mode: "valid", left: 0 };

  constructor(options: WhatsAppOptions, clock: SimClock) {
    const { webhook } = options;
    this.#clock = clock;
    this.#seen = new Ring(options.journalSize ?? 500);
    this.#outgoing = createOutgoing(webhook?.timeoutMs ?? 10_000);
    this.#queue = new CallbackQueue<Queued>({
      clock,
      mode: options.delivery ?? "timed",
      batchSize: webhook?.batchSize ?? 1,
      concurrency: webhook?.concurrency ?? 8,
      retryDelaysMs: webhook?.retryDelaysMs ?? [1000, 5000, 30_000, 120_000, 600_000],
      capacity: 1_000_000,
      // Numbers that share callback and app are told in one call.
      groupOf: ({ number }) => `${number.webhook?.url ?? ""} ${number.appSecret}`,
      send: (items, attempt) => this.#deliver(items, attempt),
    });
  }

  push(number: BusinessNumber, change: Change, due: number): void {
    if (number.webhook) this.#queue.push(due, { number, change });
  }

  /** The next `calls` webhooks are signed so. */
  sign(mode: Signing, calls: number): void {
    this.#signing = { mode, left: calls };
  }

  /** Posts a document as it is, signed; not queued. Gives the HTTP status. */
  async post(number: BusinessNumber, document: unknown, signing: Signing): Promise<number | null> {
    if (!number.webhook) throw new Error("the number has no webhook");
    const { body, headers } = signed(document, number.appSecret, signing);
    return (await this.#outgoing.call("POST", number.webhook.url, headers, body)).status;
  }

  /** The GET handshake: true when exactly the challenge came back. */
  async handshake(url: string, challenge: string, verifyToken: string): Promise<boolean> {
    const address = new URL(url);
    address.searchParams.set("hub.mode", "subscribe");
    address.searchParams.set("hub.challenge", challenge);
    address.searchParams.set("hub.verify_token", verifyToken);
    const answer = await this.#outgoing.call("GET", address.href, {});
    return answer.status === 200 && answer.body === challenge;
  }

  flush(concurrency?: number): Promise<number> {
    return this.#queue.flush(concurrency);
  }
  deliverDue(): Promise<number> {
    return this.#queue.deliverDue();
  }
  get stats(): CallbackStats {
    return this.#queue.stats;
  }
  seen(): readonly SeenWebhook[] {
    return this.#seen.all();
  }
  clear(): void {
    this.#queue.clear();
    this.#seen.clear();
  }
  async close(): Promise<void> {
    await this.#queue.close();
    this.#outgoing.close();
  }

  async #deliver(items: readonly Queued[], attempt: number): Promise<boolean> {
    const [first] = items;
    const url = first?.number.webhook?.url;
    if (!first || url === undefined) return true;
    const mode = this.#signing.left-- > 0 ? this.#signing.mode : "valid";
    const document = envelope(items.map((item) => item.change));
    const { body, headers } = signed(document, first.number.appSecret, mode);
    const { status } = await this.#outgoing.call("POST", url, headers, body);
    const at = this.#clock.now();
    this.#seen.push({ at, url, attempt, body: body.toString("utf8"), headers, status });
    return status !== null && status >= 200 && status < 300;
  }
}
