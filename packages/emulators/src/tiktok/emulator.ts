import type { CallbackStats } from "../core/callback-queue.ts";
import { SimClock } from "../core/clock.ts";
import { Faults, type Fault } from "../core/fault.ts";
import { Ledger } from "../core/ledger.ts";
import { Random } from "../core/random.ts";
import { BoundedMap, Ring } from "../core/ring.ts";
import { listen, loopback, type EmulatorServer, type SeenRequest } from "../core/server.ts";
import { handleApi } from "./api.ts";
import { TikTokCallbacks } from "./callbacks.ts";
import { tiktokControl } from "./control.ts";
import { Conversations, type Conversation } from "./conversation.ts";
import {
  DEFAULT_APP_ID,
  echoed,
  markedRead,
  received,
  receivedInEurope,
  type TikTokEvent,
} from "./events.ts";
import { closedBy, Turns } from "./limits.ts";
import type { TikTokMagic } from "./magic.ts";
import type {
  SeenEvent,
  TikTokBusiness,
  TikTokInbound,
  TikTokMessage,
  TikTokOptions,
} from "./options.ts";
import type { TikTokSigning } from "./signature.ts";
import type { Send } from "./validate.ts";

/** TikTok Business Messaging of our own. The methods are what the control surface does over HTTP. */
export class TikTokEmulator implements AsyncDisposable {
  readonly options: TikTokOptions;
  readonly clock: SimClock;
  readonly random: Random;
  readonly faults: Faults;
  readonly businesses = new Map<string, TikTokBusiness>();
  /** Acceptances per customer and text: there is no correlation, so a text that is sent twice on purpose counts. */
  readonly ledger: Ledger;
  readonly #callbacks: TikTokCallbacks;
  readonly conversations = new Conversations();
  readonly turns: Turns;
  readonly #messages = new BoundedMap<string, TikTokMessage>(20_000);
  readonly #requests: Ring<SeenRequest>;
  readonly #urls = new Map<string, string>();
  #server: EmulatorServer | undefined;
  #ids = 7_430_000_000_000_000_000n;

  constructor(options: TikTokOptions) {
    this.options = options;
    this.clock = new SimClock(options.clock);
    this.random = new Random(options.seed ?? 1);
    this.faults = new Faults(this.random);
    this.ledger = new Ledger(options.ledgerSize ?? 1_000_000);
    this.turns = new Turns(options.callsPerSecond ?? null);
    this.#requests = new Ring(options.journalSize ?? 500);
    this.#callbacks = new TikTokCallbacks(options, this.clock, (business) => this.#urlOf(business));
    for (const business of options.businesses ?? []) this.addBusiness(business);
  }

  /** Where it listens, without a trailing slash. */
  get url(): string {
    return this.#server?.url ?? "";
  }
  /** What a channel's `apiUrl` should be. */
  get apiUrl(): string {
    return `${this.url}/open_api/v1.3`;
  }

  async listen(): Promise<this> {
    this.#server = await listen({
      host: loopback(this.options.host),
      port: this.options.port ?? 0,
      maxBodyBytes: 4 * 1024 * 1024,
      handle: (call) =>
        call.path.startsWith("/_sim/tiktok/") ? tiktokControl(this, call) : handleApi(this, call),
    });
    return this;
  }

  /** Adds an account, or gives a known one a new token or address. */
  addBusiness(business: TikTokBusiness): void {
    this.businesses.set(business.businessId, business);
    if (business.webhookUrl !== undefined) this.#urls.set(appOf(business), business.webhookUrl);
  }

  /** The customer writes. Gives the message id; the event is queued. Opens the 48 hours and the ten messages anew. */
  inbound(options: TikTokInbound): string {
    const business = this.#business(options.businessId);
    const at = options.at ?? this.clock.now();
    const known = this.conversations.open(business.businessId, {
      id: options.from,
      name: options.name,
    });
    const message = options.message ?? { type: "text", text: { body: options.text ?? "" } };
    const id = options.id ?? this.newId();
    if (at >= (known.lastInboundAt ?? 0)) Object.assign(known, { lastInboundAt: at, replies: 0 });
    const spoken = { id, conversationId: known.id, at, message, replyTo: options.replyTo };
    const event = received(business, known.customer, spoken);
    for (let i = 0; i < (options.times ?? 1); i++) this.push(business.businessId, event);
    return id;
  }

  /** Somebody in Europe writes: an event without content. */
  inboundFromEurope(businessId: string): void {
    this.push(businessId, receivedInEurope(this.#business(businessId), this.clock.now()));
  }

  /** A person of the business answers in TikTok's own app or page. Counts towards the ten. */
  reply(businessId: string, to: string, text: string, source: "APP" | "WEB" = "APP"): string {
    const business = this.#business(businessId);
    const conversation = this.conversations.open(business.businessId, { id: to });
    const id = this.newId();
    const message = { type: "text", text: { body: text } };
    const spoken = { id, conversationId: conversation.id, at: this.clock.now(), message };
    conversation.replies += 1;
    this.push(businessId, echoed(business, conversation.customer, spoken, source));
    return id;
  }

  /** Queues the echo of an accepted message once more. */
  echo(id: string): void {
    const message = this.#messages.get(id);
    if (!message) throw new Error(`no message ${id}`);
    this.#queueEcho(message, { type: "text", text: { body: message.text ?? "" } }, 0);
  }

  /** The customer reads everything up to a time, default now. */
  read(businessId: string, customer: string, at = this.clock.now()): void {
    const conversation = this.conversations.open(this.#business(businessId).businessId, {
      id: customer,
    });
    this.push(businessId, markedRead(conversation.customer, conversation.id, at));
  }

  /** Queues any event. */
  push(businessId: string, event: TikTokEvent, afterMs = 0): void {
    this.#callbacks.push(this.#business(businessId), event, this.clock.now() + afterMs);
  }

  fault(fault: Fault): void {
    this.faults.add(fault);
  }
  /** The next `calls` events are signed so. */
  sign(mode: TikTokSigning, calls = 1): void {
    this.#callbacks.sign(mode, calls);
  }
  /** The GET handshake with the app's address: true when exactly the challenge came back. */
  async subscribe(businessId: string): Promise<boolean> {
    const url = this.#urlOf(this.#business(businessId));
    if (url === undefined) return false;
    return this.#callbacks.handshake(url, String(this.random.between(10 ** 8, 2 * 10 ** 9)));
  }
  /** Attempts every waiting event once, due or not. Gives how many were acknowledged. */
  flush(concurrency?: number): Promise<number> {
    return this.#callbacks.flush(concurrency);
  }
  /** Moves the emulator's clock and delivers what became due. */
  advance(ms: number): Promise<number> {
    this.clock.advance(ms);
    return this.#callbacks.deliverDue();
  }
  release(): void {
    this.#server?.release();
  }
  requests(): readonly SeenRequest[] {
    return this.#requests.all();
  }
  messages(): TikTokMessage[] {
    return this.#messages.values();
  }
  webhooks(): readonly SeenEvent[] {
    return this.#callbacks.seen();
  }
  get stats(): CallbackStats {
    return this.#callbacks.stats;
  }
  /** Forgets journals, messages, faults and what waits; keeps businesses and conversations. */
  clear(): void {
    this.#requests.clear();
    this.#callbacks.clear();
    this.ledger.clear();
    this.faults.clear();
    for (const message of this.#messages.values()) this.#messages.delete(message.id);
  }
  async close(): Promise<void> {
    await this.#server?.close();
    await this.#callbacks.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // What the API handlers use.

  noteRequest(request: SeenRequest): void {
    this.#requests.push(request);
  }
  /** Sets the address of an app; false when no account is on that app with that secret. */
  setWebhook(appId: string, secret: string, url: string): boolean {
    const owned = [...this.businesses.values()].some(
      (one) => appOf(one) === appId && one.appSecret === secret,
    );
    if (owned) this.#urls.set(appId, url);
    return owned;
  }
  /** Why the customer's window takes no message, or null. */
  closedBy(conversation: Conversation): string | null {
    return closedBy(this.options.window, conversation, this.clock.now());
  }

  /** Takes a send: ledger, record, echo, reading. */
  async accept(
    conversation: Conversation,
    send: Send,
    magic: Extract<TikTokMagic, { kind: "events" }> | null,
  ): Promise<TikTokMessage> {
    const { businessId, customer } = conversation;
    const message: TikTokMessage = {
      id: this.newId(),
      businessId,
      conversationId: conversation.id,
      to: customer.id,
      type: send.type,
      text: send.text,
      acceptedAt: this.clock.now(),
    };
    conversation.replies += 1;
    this.#messages.set(message.id, message);
    this.ledger.accept(businessId, customer.id, send.text ?? send.type);
    const { events = {} } = this.options;
    if (events.auto === false) return message;
    const early = events.beforeAnswer === true || magic?.early === true;
    const echoAfter = early ? 0 : this.random.between(...(events.echoMs ?? [20, 60]));
    for (let i = 0; i < (magic?.echo ?? 1); i++) this.#queueEcho(message, send.message, echoAfter);
    if (magic?.read ?? this.random.chance(events.readChance ?? 1)) {
      const after = echoAfter + this.random.between(...(events.readMs ?? [150, 400]));
      const at = message.acceptedAt + after;
      this.#queue(businessId, markedRead(customer, conversation.id, at), after);
    }
    if (early) await this.flush();
    return message;
  }

  newId(): string {
    this.#ids += BigInt(this.random.between(1, 1_000_000));
    return String(this.#ids);
  }

  #queueEcho(message: TikTokMessage, content: Send["message"], afterMs: number): void {
    const conversation = this.conversations.find(message.conversationId);
    if (!conversation) return;
    const { id, conversationId: thread, acceptedAt: at } = message;
    const spoken = { id, conversationId: thread, at, message: content };
    const business = this.#business(message.businessId);
    this.#queue(
      message.businessId,
      echoed(business, conversation.customer, spoken, "API"),
      afterMs,
    );
  }

  /** With the chances of loss and of coming twice. */
  #queue(businessId: string, event: TikTokEvent, afterMs: number): void {
    const { events = {} } = this.options;
    if (this.random.chance(events.lossChance ?? 0)) return;
    this.push(businessId, event, afterMs);
    if (this.random.chance(events.duplicateChance ?? 0)) this.push(businessId, event, afterMs);
  }

  #business(businessId: string): TikTokBusiness {
    const business = this.businesses.get(businessId);
    if (!business) throw new Error(`no business ${businessId}`);
    return business;
  }
  #urlOf(business: TikTokBusiness): string | undefined {
    return this.#urls.get(appOf(business));
  }
}

const appOf = (business: TikTokBusiness): string => business.appId ?? DEFAULT_APP_ID;

/** Starts a TikTok Business Messaging of our own on a loopback port. */
export function createTikTokEmulator(options: TikTokOptions = {}): Promise<TikTokEmulator> {
  return new TikTokEmulator(options).listen();
}
