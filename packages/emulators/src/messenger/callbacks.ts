import { CallbackQueue, type CallbackStats } from "../core/callback-queue.ts";
import type { SimClock } from "../core/clock.ts";
import { createOutgoing } from "../core/outgoing.ts";
import { Ring } from "../core/ring.ts";
import { signed, type Signing } from "../whatsapp/envelope.ts";
import type { Dialect, PageMessagingOptions, PageOptions, SeenCall } from "./options.ts";

/** Where in its entry an event stands. */
export type Form = "messaging" | "standby" | "changes";

export interface QueuedEvent {
  readonly page: PageOptions;
  readonly form: Form;
  readonly item: Readonly<Record<string, unknown>>;
}

/** The platform's calls to the pages' callback addresses: queued, batched, signed, tried again. */
export class PageCallbacks {
  readonly #dialect: Dialect;
  readonly #clock: SimClock;
  readonly #queue: CallbackQueue<QueuedEvent>;
  readonly #outgoing;
  readonly #seen: Ring<SeenCall>;
  #signing: { mode: Signing; left: number } = { mode: "valid", left: 0 };

  constructor(dialect: Dialect, options: PageMessagingOptions, clock: SimClock) {
    const { webhook } = options;
    this.#dialect = dialect;
    this.#clock = clock;
    this.#seen = new Ring(options.journalSize ?? 500);
    this.#outgoing = createOutgoing(webhook?.timeoutMs ?? 10_000);
    this.#queue = new CallbackQueue<QueuedEvent>({
      clock,
      mode: options.delivery ?? "timed",
      batchSize: webhook?.batchSize ?? 1,
      concurrency: webhook?.concurrency ?? 8,
      retryDelaysMs: webhook?.retryDelaysMs ?? [1000, 5000, 30_000, 120_000, 600_000],
      capacity: 1_000_000,
      groupOf: ({ page }) => `${page.webhook?.url ?? ""} ${page.appSecret}`,
      send: (events, attempt) => this.#deliver(events, attempt),
    });
  }

  push(event: QueuedEvent, due: number): void {
    if (event.page.webhook) this.#queue.push(due, event);
  }
  /** The next `calls` webhooks are signed so. */
  sign(mode: Signing, calls: number): void {
    this.#signing = { mode, left: calls };
  }
  /** Posts a document as it is, signed; not queued. Gives the HTTP status. */
  async post(page: PageOptions, document: unknown, signing: Signing): Promise<number | null> {
    if (!page.webhook) throw new Error("the page has no webhook");
    const { body, headers } = signed(document, page.appSecret, signing);
    return (await this.#outgoing.call("POST", page.webhook.url, headers, body)).status;
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
  seen(): readonly SeenCall[] {
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

  async #deliver(events: readonly QueuedEvent[], attempt: number): Promise<boolean> {
    const [first] = events;
    const url = first?.page.webhook?.url;
    if (!first || url === undefined) return true;
    const mode = this.#signing.left-- > 0 ? this.#signing.mode : "valid";
    const { body, headers } = signed(this.#envelope(events), first.page.appSecret, mode);
    const { status } = await this.#outgoing.call("POST", url, headers, body);
    const at = this.#clock.now();
    this.#seen.push({ at, url, attempt, body: body.toString("utf8"), headers, status });
    return status !== null && status >= 200 && status < 300;
  }

  /** Entries by page, each with its events in order. Messenger's entry time is in milliseconds, Instagram's in seconds. */
  #envelope(events: readonly QueuedEvent[]): object {
    const now = this.#clock.now();
    const time = this.#dialect.object === "page" ? now : Math.floor(now / 1000);
    const entries: { id: string; time: number; [form: string]: unknown }[] = [];
    const open = { key: "", items: [] as object[] };
    for (const { page, form, item } of events) {
      const key = `${page.id} ${form}`;
      if (open.key !== key) {
        open.key = key;
        open.items = [];
        entries.push({ id: page.id, time, [form]: open.items });
      }
      open.items.push(item);
    }
    return { object: this.#dialect.object, entry: entries };
  }
}
