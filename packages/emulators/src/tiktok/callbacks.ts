import { CallbackQueue, type CallbackStats } from "../core/callback-queue.ts";
import type { SimClock } from "../core/clock.ts";
import { createOutgoing } from "../core/outgoing.ts";
import { Ring } from "../core/ring.ts";
import { envelope, type TikTokEvent } from "./events.ts";
import type { SeenEvent, TikTokBusiness, TikTokOptions } from "./options.ts";
import { signed, type TikTokSigning } from "./signature.ts";

interface Queued {
  readonly business: TikTokBusiness;
  readonly event: TikTokEvent;
  /** When it was first signed. */
  firstAt: number | null;
}

/** 1 s, 4 s, 16 s … until 72 hours have passed. */
const RETRIES: readonly number[] = Array.from({ length: 9 }, (_, n) => 1000 * 4 ** n).concat(
  Array.from({ length: 3 }, () => 57_000_000),
);

/** The platform's calls to the apps' addresses: queued, signed, tried again. */
export class TikTokCallbacks {
  readonly #clock: SimClock;
  readonly #queue: CallbackQueue<Queued>;
  readonly #outgoing;
  readonly #seen: Ring<SeenEvent>;
  readonly #keepTime: boolean;
  readonly #urlOf: (business: TikTokBusiness) => string | undefined;
  #signing: { mode: TikTokSigning; left: number } = { mode: "valid", left: 0 };

  constructor(
    options: TikTokOptions,
    clock: SimClock,
    urlOf: (business: TikTokBusiness) => string | undefined,
  ) {
    const { webhook } = options;
    this.#clock = clock;
    this.#urlOf = urlOf;
    this.#keepTime = webhook?.keepTime === true;
    this.#seen = new Ring(options.journalSize ?? 500);
    this.#outgoing = createOutgoing(webhook?.timeoutMs ?? 10_000);
    this.#queue = new CallbackQueue<Queued>({
      clock,
      mode: options.delivery ?? "timed",
      batchSize: 1,
      concurrency: webhook?.concurrency ?? 8,
      retryDelaysMs: webhook?.retryDelaysMs ?? RETRIES,
      capacity: 1_000_000,
      groupOf: ({ business }) => business.businessId,
      send: ([item], attempt) => (item ? this.#deliver(item, attempt) : Promise.resolve(true)),
    });
  }

  push(business: TikTokBusiness, event: TikTokEvent, due: number): void {
    if (this.#urlOf(business) !== undefined)
      this.#queue.push(due, { business, event, firstAt: null });
  }

  /** The next `calls` events are signed so. */
  sign(mode: TikTokSigning, calls: number): void {
    this.#signing = { mode, left: calls };
  }

  /** The GET handshake: true when exactly the challenge came back. */
  async handshake(url: string, challenge: string): Promise<boolean> {
    const address = new URL(url);
    address.searchParams.set("challenge", challenge);
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
  seen(): readonly SeenEvent[] {
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

  async #deliver(item: Queued, attempt: number): Promise<boolean> {
    const url = this.#urlOf(item.business);
    if (url === undefined) return true;
    const mode = this.#signing.left-- > 0 ? this.#signing.mode : "valid";
    const now = this.#clock.now();
    item.firstAt ??= now;
    const time = this.#keepTime ? item.firstAt : now;
    const document = envelope(item.business, item.event);
    const { body, headers } = signed(document, item.business.appSecret, time, mode);
    const { status } = await this.#outgoing.call("POST", url, headers, body);
    this.#seen.push({ at: now, url, attempt, body: body.toString("utf8"), headers, status });
    return status !== null && status >= 200 && status < 300;
  }
}
