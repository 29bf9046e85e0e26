import type { CallbackStats } from "../core/callback-queue.ts";
import type { ControlTable } from "../core/control.ts";
import type { Call, Handled } from "../core/server.ts";
import { handleApi } from "./api.ts";
import { TikTokCallbacks } from "./callbacks.ts";
import { tiktokControl } from "./control.ts";
import type { SeenCallback } from "../core/callback-line.ts";
import type { Conversation } from "./conversation.ts";
import {
  echoed,
  markedRead,
  received,
  receivedInEurope,
  referred,
  type TikTokEvent,
} from "./events.ts";
import type { TikTokFile } from "./files.ts";
import type { TikTokMagic } from "./magic.ts";
import type { TikTokInbound, TikTokMessage, TikTokOptions } from "./options.ts";
import type { TikTokSigning } from "./signature.ts";
import { TikTokState } from "./state.ts";
import type { Send } from "./validate.ts";

/** An emulated TikTok Business Messaging. The control surface offers these methods over HTTP. */
export class TikTokEmulator extends TikTokState {
  protected readonly name = "tiktok";
  protected readonly maxBodyBytes = 8 * 1024 * 1024;
  protected readonly line: TikTokCallbacks;
  /** Called for every accepted send, so that a customer can answer. */
  onAccepted: ((message: TikTokMessage) => void) | undefined;

  constructor(options: TikTokOptions) {
    super(options);
    this.line = new TikTokCallbacks(options, this.clock, (business) => this.urlOf(business));
  }

  /** The `apiUrl` for a channel. */
  get apiUrl(): string {
    return `${this.url}/open_api/v1.3`;
  }

  protected control(): ControlTable {
    return tiktokControl(this);
  }
  protected handle(call: Call): Promise<Handled> {
    return handleApi(this, call);
  }

  /**
   * The customer writes. Gives the message id; the event is queued. Everything but a reaction opens the 48 hours
   * and the ten messages anew.
   */
  inbound(options: TikTokInbound): string {
    const business = this.business(options.businessId);
    const at = options.at ?? this.clock.now();
    const known = this.conversations.open(business.businessId, {
      id: options.from,
      name: options.name,
    });
    const id = options.id ?? this.newId();
    const message =
      options.file === undefined
        ? (options.message ?? { type: "text", text: { body: options.text ?? "" } })
        : this.#fileMessage(options.file, business.businessId, known.id, id);
    const opens = message["type"] !== "reaction" && at >= (known.lastInboundAt ?? 0);
    if (opens) Object.assign(known, { lastInboundAt: at, replies: 0 });
    const spoken = { id, conversationId: known.id, at, message, replyTo: options.replyTo };
    const event = received(business, known.customer, spoken);
    for (let i = 0; i < (options.times ?? 1); i++) this.push(business.businessId, event);
    return id;
  }

  /** The customer puts an emoji under a message, or removes it. Gives the id of the reaction's own message. */
  react(
    { businessId, from, name }: Pick<TikTokInbound, "businessId" | "from" | "name">,
    reaction: { readonly to: string; readonly emoji: string; readonly taken?: boolean },
  ): string {
    const entry = {
      operation: reaction.taken === true ? "REMOVE" : "ADD",
      type: "EMOJI",
      emoji: reaction.emoji,
      unique_identifier: `MS4w${from}`,
      timestamp: this.clock.now(),
      original_msg_id: reaction.to,
    };
    const message = { type: "reaction", reaction: [entry] };
    return this.inbound({ businessId, from, ...(name !== undefined && { name }), message });
  }

  /** The customer comes by an advertisement or a link (`{ source: "ad", ad: {…} }`) and has not written. */
  refer(
    { businessId, from, name, times = 1 }: Omit<TikTokInbound, "text" | "file" | "message">,
    referral: Readonly<Record<string, unknown>>,
  ): void {
    const business = this.business(businessId);
    const known = this.conversations.open(business.businessId, { id: from, name });
    const event = referred(business, known.customer, known.id, this.clock.now(), referral);
    for (let i = 0; i < times; i++) this.push(businessId, event);
  }

  /** Somebody in Europe writes: an event without content. */
  inboundFromEurope(businessId: string): void {
    this.push(businessId, receivedInEurope(this.business(businessId), this.clock.now()));
  }

  /** A person of the business answers in TikTok's own app or page. Counts towards the ten. */
  reply(businessId: string, to: string, text: string, source: "APP" | "WEB" = "APP"): string {
    const business = this.business(businessId);
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
    const message = this.message(id);
    this.#queueEcho(message, message.content, 0);
  }

  /** The customer reads everything up to a time, default now. */
  read(businessId: string, customer: string, at = this.clock.now()): void {
    const conversation = this.conversations.open(this.business(businessId).businessId, {
      id: customer,
    });
    this.push(businessId, markedRead(conversation.customer, conversation.id, at));
  }

  /** Queues any event. */
  push(businessId: string, event: TikTokEvent, afterMs = 0): void {
    this.line.pushEvent(this.business(businessId), event, this.clock.now() + afterMs);
  }

  /** Signs the next `calls` events in this way. */
  sign(mode: TikTokSigning, calls = 1): void {
    this.line.sign(mode, calls);
  }
  /** The GET handshake with the app's address: true when it answered exactly the challenge. */
  async subscribe(businessId: string): Promise<boolean> {
    const url = this.urlOf(this.business(businessId));
    if (url === undefined) return false;
    return this.line.verify(url, String(this.random.between(10 ** 8, 2 * 10 ** 9)));
  }
  webhooks(): readonly SeenCallback[] {
    return this.line.seen();
  }
  get stats(): CallbackStats {
    return this.line.stats;
  }

  /** Accepts a send: ledger, record, echo, read mark. */
  async accept(
    conversation: Conversation,
    send: Send,
    magic: Extract<TikTokMagic, { kind: "events" }> | null,
    file?: TikTokFile,
  ): Promise<TikTokMessage> {
    const { businessId, customer } = conversation;
    const message: TikTokMessage = {
      id: this.newId(),
      businessId,
      conversationId: conversation.id,
      to: customer.id,
      type: send.type,
      text: send.text,
      content: send.message,
      quoted: send.quoted ?? null,
      ...(file && { file: { bytes: file.bytes, mimeType: file.mimeType } }),
      acceptedAt: this.clock.now(),
    };
    if (file && send.mediaId !== undefined) {
      const { id: messageId, conversationId } = message;
      this.files.keep(
        { businessId, conversationId, messageId, mediaId: send.mediaId },
        "IMAGE",
        file,
      );
    }
    conversation.replies += 1;
    this.noteMessage(message.id, message);
    this.ledger.accept(businessId, customer.id, send.text ?? send.mediaId ?? send.type);
    const { events = {} } = this.options;
    if (events.auto === false) {
      this.onAccepted?.(message);
      return message;
    }
    const early = events.beforeAnswer === true || magic?.early === true;
    const echoAfter = early
      ? 0
      : (magic?.lateMs ?? 0) + this.random.between(...(events.echoMs ?? [20, 60]));
    for (let i = 0; i < (magic?.echo ?? 1); i++) this.#queueEcho(message, send.message, echoAfter);
    if (magic?.read ?? this.random.chance(events.readChance ?? 1)) {
      const after = echoAfter + this.random.between(...(events.readMs ?? [150, 400]));
      const at = message.acceptedAt + after;
      this.#queue(businessId, markedRead(customer, conversation.id, at), after);
    }
    if (early) await this.flush();
    this.onAccepted?.(message);
    return message;
  }

  #queueEcho(message: TikTokMessage, content: Send["message"], afterMs: number): void {
    const conversation = this.conversations.find(message.conversationId);
    if (!conversation) return;
    const { id, conversationId: thread, acceptedAt: at } = message;
    const spoken = { id, conversationId: thread, at, message: content };
    const business = this.business(message.businessId);
    this.#queue(
      message.businessId,
      echoed(business, conversation.customer, spoken, "API"),
      afterMs,
    );
  }

  /** Stores a customer's file and gives it in the words of events. */
  #fileMessage(
    { kind, ...file }: NonNullable<TikTokInbound["file"]>,
    businessId: string,
    conversationId: string,
    messageId: string,
  ): Readonly<Record<string, unknown>> {
    if (kind === "sticker") {
      const url = this.url + this.files.publicLink(file, this.clock.now());
      return { type: kind, sticker: { url } };
    }
    const mediaId = `v0201${this.newId()}`;
    const place = { businessId, conversationId, messageId, mediaId };
    this.files.keep(place, kind.toUpperCase(), file);
    return { type: kind, [kind]: { media_id: mediaId } };
  }

  /** With the chances that it is lost or comes twice. */
  #queue(businessId: string, event: TikTokEvent, afterMs: number): void {
    const { events = {} } = this.options;
    if (this.random.chance(events.lossChance ?? 0)) return;
    this.push(businessId, event, afterMs);
    if (this.random.chance(events.duplicateChance ?? 0)) this.push(businessId, event, afterMs);
  }
}

/** Starts an emulated TikTok Business Messaging on a loopback port. */
export function createTikTokEmulator(options: TikTokOptions = {}): Promise<TikTokEmulator> {
  return new TikTokEmulator(options).listen();
}
