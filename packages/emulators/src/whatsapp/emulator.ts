import type { CallbackStats } from "../core/callback-queue.ts";
import type { ControlTable } from "../core/control.ts";
import type { Call, Handled } from "../core/server.ts";
import { WhatsAppCallbacks } from "./callbacks.ts";
import {
  inboundChange,
  statusChange,
  templateStatusValue,
  type BusinessNumber,
  type User,
} from "./changes.ts";
import { whatsappControl } from "./control.ts";
import type { SeenCallback } from "../core/callback-line.ts";
import type { Change, Signing } from "./envelope.ts";
import { handleGraph } from "./graph.ts";
import { fileContent } from "./media-routes.ts";
import type { StatusPlan } from "./magic.ts";
import type { AcceptedMessage, InboundOptions, StatusPush, WhatsAppOptions } from "./options.ts";
import { WhatsAppState } from "./state.ts";
import { planStatuses } from "./statuses.ts";
import type { NewTemplate, Template } from "./templates.ts";
import type { Send } from "./validate.ts";

/** What a customer does without writing. */
const SILENT = ["reaction", "edit", "revoke", "system", "unsupported"];

/** An emulated WhatsApp Cloud API. The control surface offers these methods over HTTP. */
export class WhatsAppEmulator extends WhatsAppState {
  protected readonly name = "whatsapp";
  /** The largest file that the platform accepts, with the form around it. */
  protected readonly maxBodyBytes = 101 * 1024 * 1024;
  readonly line: WhatsAppCallbacks;
  /** Called for every accepted send, so that a customer can answer. */
  onAccepted: ((message: AcceptedMessage) => void) | undefined;
  /** Called when the business marks a customer's message as read; `typing` when it shows that it is writing. */
  onRead:
    | ((mark: { phoneNumberId: string; messageId: string; typing: boolean }) => void)
    | undefined;

  constructor(options: WhatsAppOptions) {
    super(options);
    this.line = new WhatsAppCallbacks(options, this.clock);
  }

  /** The `apiUrl` for a channel. */
  get apiUrl(): string {
    return `${this.url}/v25.0`;
  }

  protected control(): ControlTable {
    return whatsappControl(this);
  }
  protected handle(call: Call): Promise<Handled> {
    return handleGraph(this, call);
  }

  addTemplate(wabaId: string, template: NewTemplate): Template {
    return this.templates.add(wabaId, template);
  }
  /** Changes a template's status and tells the account's callbacks. */
  setTemplateStatus(wabaId: string, id: string, status: string, reason = "NONE"): void {
    const template = this.templates.setStatus(wabaId, id, status, reason);
    if (!template) throw new Error(`no template ${id}`);
    this.push(wabaId, "message_template_status_update", templateStatusValue(template, reason));
  }

  /**
   * Judges a submitted template after a while, if the options say so: approved, or refused when its name contains
   * the word `rejected`.
   */
  review(wabaId: string, { id, name }: Template): void {
    const { reviewMs } = this.options;
    if (reviewMs === undefined) return;
    setTimeout(() => {
      if (this.templates.list(wabaId).find((one) => one.id === id)?.status !== "PENDING") return;
      if (name.includes("rejected"))
        this.setTemplateStatus(wabaId, id, "REJECTED", "INVALID_FORMAT");
      else this.setTemplateStatus(wabaId, id, "APPROVED");
    }, reviewMs).unref();
  }

  /** An account whose app is not subscribed is told nothing. */
  #tell(number: BusinessNumber, change: Change, at: number): void {
    if (this.isSubscribed(change.wabaId)) this.line.push({ number, change }, at);
  }

  /** Pushes any account webhook (`account_update`, `user_preferences` …), once per callback address of the account. */
  push(wabaId: string, field: string, value: Readonly<Record<string, unknown>>): void {
    const told = new Set<string>();
    const now = this.clock.now();
    for (const number of this.numbers.values()) {
      if (number.wabaId !== wabaId || !number.webhook || told.has(number.webhook.url)) continue;
      told.add(number.webhook.url);
      const change = { wabaId, field, value, time: Math.floor(now / 1000) };
      this.#tell(number, change, now);
    }
  }

  /** The customer writes. Gives the message id; the webhook is queued. Opens the 24 hours. */
  inbound(options: InboundOptions): string {
    const number = this.number(options.phoneNumberId);
    const user = this.senderOf(options);
    const key = user.phone ?? user.userId;
    const due = this.clock.now() + (options.afterMs ?? 0);
    const at = options.at ?? due;
    const id = options.id ?? this.newMessageId(key);
    const content =
      options.message ??
      (options.file === undefined
        ? { type: "text", text: { body: options.text ?? "" } }
        : fileContent(this, options.phoneNumberId, options.file));
    this.noteInbound(id);
    // The others open the window.
    if (!SILENT.includes(String(content["type"])))
      this.restoreWindow(number.phoneNumberId, key, at);
    const { replyTo } = options;
    const change = inboundChange(
      number,
      user,
      { content, ...(replyTo === undefined ? {} : { replyTo }) },
      id,
      at,
    );
    for (let i = 0; i < (options.times ?? 1); i++) this.#tell(number, change, due);
    return id;
  }

  /** The customer takes a new number: a system message names it. */
  changeNumber(phoneNumberId: string, from: string, to: string): string {
    const { name } = this.user(from);
    this.addUser({ phone: to, name });
    const body = `User ${name} changed from ${from} to ${to}`;
    const system = { type: "user_changed_number", body, wa_id: to };
    return this.inbound({ phoneNumberId, from, message: { type: "system", system } });
  }

  /** Stores a file as a customer's upload would be; use its id in `inbound({ message })`. */
  addMedia(
    bytes: Buffer,
    mimeType: string,
    phoneNumberId: string | null = null,
  ): { id: string; sha256: string; mime_type: string } {
    const media = this.media.add(bytes, mimeType, phoneNumberId, "received");
    // Hex in the look-up, base64 in a webhook.
    const sha256 = Buffer.from(media.sha256, "hex").toString("base64");
    return { id: media.id, sha256, mime_type: media.mimeType };
  }
  /** Queues one status of a message that was accepted. */
  status(push: StatusPush): void {
    const message = this.message(push.id);
    if (!message) throw new Error(`no message ${push.id}`);
    const error = push.code === undefined ? null : { code: push.code, details: push.details };
    for (let i = 0; i < (push.times ?? 1); i++)
      this.#queueStatus(message, push.status, push.at ?? this.clock.now(), error);
  }

  /** Signs the next `calls` webhooks in this way. */
  sign(mode: Signing, calls = 1): void {
    this.line.sign(mode, calls);
  }
  /** Posts a given envelope to the number's callback, signed; not queued. Gives the HTTP status. */
  post(
    phoneNumberId: string,
    document: unknown,
    signing: Signing = "valid",
  ): Promise<number | null> {
    return this.line.postDocument(this.number(phoneNumberId), document, signing);
  }
  /** The GET handshake with the number's callback: true when it answered exactly the challenge. */
  async subscribe(phoneNumberId: string, verifyToken?: string): Promise<boolean> {
    const { webhook } = this.number(phoneNumberId);
    if (!webhook) return false;
    const challenge = String(this.random.between(100_000_000, 2_000_000_000));
    return this.line.verify(webhook.url, challenge, verifyToken ?? webhook.verifyToken ?? "");
  }

  webhooks(): readonly SeenCallback[] {
    return this.line.seen();
  }
  get stats(): CallbackStats {
    return this.line.stats;
  }

  /** Accepts a send: ledger, record, statuses. `failure` makes it fail by webhook; `plan` orders the statuses. */
  async accept(
    number: BusinessNumber,
    user: User,
    send: Send,
    failure: number | null,
    plan: StatusPlan | null,
    details?: string,
  ): Promise<AcceptedMessage> {
    const to = user.phone ?? user.userId;
    const { type, text, correlation } = send;
    const message: AcceptedMessage = {
      id: this.newMessageId(to),
      phoneNumberId: number.phoneNumberId,
      to,
      type,
      text,
      template: send.template?.name ?? null,
      media: send.media,
      buttons: send.buttons ?? [],
      correlation,
      quoted: send.quoted,
      acceptedAt: this.clock.now(),
      statuses: [],
    };
    this.noteMessage(message.id, message);
    this.ledger.accept(number.phoneNumberId, to, correlation ?? "");
    const options = this.options.statuses ?? {};
    if (options.auto !== false) {
      for (const { status, afterMs, code } of planStatuses(options, this.random, failure, plan))
        this.#queueStatus(
          message,
          status,
          message.acceptedAt + afterMs,
          code === null ? null : { code, details },
        );
      if (options.beforeAnswer || plan?.early) await this.flush();
    }
    this.onAccepted?.(message);
    return message;
  }

  #queueStatus(
    message: AcceptedMessage,
    status: string,
    due: number,
    error: { code: number; details?: string | undefined } | null,
  ): void {
    const number = this.numbers.get(message.phoneNumberId);
    if (!number) return;
    message.statuses.push(status);
    const change = statusChange(number, this.user(message.to), message, status, due, error);
    this.#tell(number, change, due);
  }
}

/** Starts an emulated WhatsApp Cloud API on a loopback port. */
export function createWhatsAppEmulator(options: WhatsAppOptions = {}): Promise<WhatsAppEmulator> {
  return new WhatsAppEmulator(options).listen();
}
