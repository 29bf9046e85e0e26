import type { CallbackStats } from "../core/callback-queue.ts";
import type { Call, Handled } from "../core/server.ts";
import type { Signing } from "../whatsapp/envelope.ts";
import { describeFile, keepFile } from "./attachments.ts";
import { PageCallbacks, type Form } from "./callbacks.ts";
import { pageControl } from "./control.ts";
import type { SeenCallback } from "../core/callback-line.ts";
import type { ControlTable } from "../core/control.ts";
import { fieldOf } from "./fields.ts";
import { handlePage } from "./graph.ts";
import type { PagePlan } from "./magic.ts";
import type {
  Dialect,
  PageInbound,
  PageMessage,
  PageMessagingOptions,
  PageOptions,
} from "./options.ts";
import { PageState } from "./state.ts";
import type { PageSend } from "./validate.ts";

type Item = Readonly<Record<string, unknown>>;

/**
 * Emulated Messenger pages or Instagram accounts: they speak two dialects of one protocol. The control surface
 * offers these methods over HTTP.
 */
export class PageEmulator extends PageState {
  protected readonly name: Dialect["name"];
  /** The largest file that the platform accepts, with the form around it. */
  protected readonly maxBodyBytes = 26 * 1024 * 1024;
  readonly line: PageCallbacks;
  /** Called for every accepted send, so that a customer can answer. */
  onAccepted: ((message: PageMessage) => void) | undefined;
  /** Called for `typing_on`, `typing_off` and `mark_seen`. */
  onAction: ((action: { pageId: string; to: string; action: string }) => void) | undefined;

  constructor(dialect: Dialect, options: PageMessagingOptions) {
    super(dialect, options);
    this.name = dialect.name;
    this.line = new PageCallbacks(dialect, options, this.clock);
  }

  /** The `apiUrl` for a channel. */
  get apiUrl(): string {
    return `${this.url}/v25.0`;
  }
  protected control(): ControlTable {
    return pageControl(this);
  }
  protected handle(call: Call): Promise<Handled> {
    return handlePage(this, call);
  }

  /** The customer writes. Gives the message id; the webhook is queued. Opens the 24 hours. */
  inbound(options: PageInbound): string {
    const id = options.id ?? this.newMessageId();
    const text = options.text === undefined && options.files ? {} : { text: options.text ?? "" };
    const files = options.files?.map((file) => describeFile(this, keepFile(this, file)));
    const message = {
      mid: id,
      ...(options.message ?? text),
      ...(files === undefined ? {} : { attachments: files }),
    };
    this.act(options, { message });
    return id;
  }
  /** Any other act of the customer: `{ postback: {…} }`, `{ reaction: {…} }`, `{ referral: {…} }`. */
  act(options: Omit<PageInbound, "text" | "message" | "id">, what: Item, form?: Form): void {
    const due = this.clock.now() + (options.afterMs ?? 0);
    const at = options.at ?? due;
    const { pageId, from } = options;
    const opens = !("reaction" in what || "message_edit" in what || "read" in what);
    if (opens) this.restoreWindow(pageId, from, at);
    const item = { sender: { id: from }, recipient: { id: pageId }, timestamp: at, ...what };
    for (let i = 0; i < (options.times ?? 1); i++) this.push(pageId, item, form, due);
  }
  /** The customer withdraws a message. */
  unsend(pageId: string, from: string, id: string): void {
    this.act({ pageId, from }, { message: { mid: id, is_deleted: true } });
  }
  /** Somebody answers in the platform's own inbox. Gives the message id. */
  agentReply(pageId: string, to: string, text: string): string {
    const id = this.newMessageId();
    this.#echo(
      { id, pageId, to, text, metadata: null, file: null },
      this.clock.now(),
      "1111111111111",
    );
    return id;
  }
  /** Everything up to now was delivered to, or read by, the customer; `mid` for the platform that names one. */
  mark(pageId: string, from: string, status: "delivered" | "read", mid?: string): void {
    const now = this.clock.now();
    const what = mid === undefined ? { watermark: now } : { mid };
    const item = { sender: { id: from }, recipient: { id: pageId }, timestamp: now };
    this.push(pageId, { ...item, [status === "read" ? "read" : "delivery"]: what });
  }
  /** Queues any event, if the page's app asked for its field. */
  push(pageId: string, item: Item, form: Form = "messaging", due = this.clock.now()): void {
    const fields = this.subscription(pageId);
    const field = fieldOf(this.dialect, item);
    if (fields === null || !(fields.includes("*") || fields.includes(field))) return;
    const body = form === "changes" ? { field, value: item } : item;
    this.line.push({ page: this.page(pageId), form, item: body }, due);
  }

  sign(mode: Signing, calls = 1): void {
    this.line.sign(mode, calls);
  }
  /** Posts a given envelope, signed; not queued. Gives the HTTP status. */
  post(pageId: string, document: unknown, signing: Signing = "valid"): Promise<number | null> {
    return this.line.postDocument(this.page(pageId), document, signing);
  }
  /** The GET handshake with the page's callback: true when it answered exactly the challenge. */
  async verify(pageId: string, verifyToken?: string): Promise<boolean> {
    const { webhook } = this.page(pageId);
    if (!webhook) return false;
    const challenge = String(this.random.between(100_000_000, 2_000_000_000));
    const token = verifyToken ?? webhook.verifyToken ?? "";
    return this.line.verify(webhook.url, challenge, token);
  }
  webhooks(): readonly SeenCallback[] {
    return this.line.seen();
  }
  get stats(): CallbackStats {
    return this.line.stats;
  }

  /** Accepts a send: ledger, record, echo and marks. */
  async accept(
    page: PageOptions,
    send: Extract<PageSend, { kind: "message" }> & Pick<PageMessage, "file">,
    plan: PagePlan | null,
  ): Promise<PageMessage> {
    const { kind: _, ...content } = send;
    const acceptedAt = this.clock.now();
    const message = { ...content, id: this.newMessageId(), pageId: page.id, acceptedAt };
    this.noteMessage(message.id, message);
    const sameAs = send.metadata ?? send.text ?? JSON.stringify(send.attachment);
    this.ledger.accept(page.id, send.to, sameAs.replaceAll("\n", " "));
    const marks = this.options.marks ?? {};
    if (marks.auto !== false && plan !== "none") {
      const twice = plan === "twice" || this.random.chance(marks.duplicateChance ?? 0);
      for (let i = 0; i < (twice ? 2 : 1); i++) this.#playMarks(message, page, plan);
    }
    if (marks.beforeAnswer || plan === "early") await this.flush();
    this.onAccepted?.(message);
    return message;
  }

  #playMarks(message: PageMessage, page: PageOptions, plan: string | null): void {
    const {
      echoMs = [5, 20],
      deliveredMs = [40, 120],
      readMs = [150, 400],
      ...marks
    } = this.options.marks ?? {};
    const after = ([least, most]: readonly [number, number]) =>
      message.acceptedAt + (plan === "late" ? 60_000 : 0) + this.random.between(least, most);
    const { id, pageId, to } = message;
    const mark = (what: Item, at: number) =>
      this.push(
        pageId,
        { sender: { id: to }, recipient: { id: pageId }, timestamp: at, ...what },
        "messaging",
        at,
      );
    this.#echo(message, after(echoMs), page.appId ?? "1517776481860111");
    const isMessenger = this.dialect.name === "messenger";
    if (isMessenger && plan !== "read") {
      const at = after(deliveredMs);
      const named = marks.mids === false ? {} : { mids: [id] };
      mark({ delivery: { ...named, watermark: at } }, at);
    }
    if (this.random.next() < (marks.readChance ?? 1)) {
      const at = after(readMs);
      mark({ read: isMessenger ? { watermark: at } : { mid: id } }, at);
    }
  }

  /** Echoes have the time of the message. Instagram's return no metadata. */
  #echo(
    message: Pick<PageMessage, "id" | "pageId" | "to" | "text" | "metadata" | "file">,
    due: number,
    appId: string,
  ): void {
    const { id, pageId, to, text, metadata, file } = message;
    const isMessenger = this.dialect.name === "messenger";
    const content = {
      mid: id,
      ...(text === null ? {} : { text }),
      ...(file === null ? {} : { attachments: [describeFile(this, file)] }),
      is_echo: true,
      ...(isMessenger ? { app_id: Number(appId) } : {}),
      ...(isMessenger && metadata !== null ? { metadata } : {}),
    };
    const timestamp = this.message(id)?.acceptedAt ?? this.clock.now();
    const item = { sender: { id: pageId }, recipient: { id: to }, timestamp, message: content };
    this.push(pageId, item, "messaging", due);
  }
}

/** Starts an emulated Messenger on a loopback port. */
export function createMessengerEmulator(options: PageMessagingOptions = {}): Promise<PageEmulator> {
  const dialect = { name: "messenger", object: "page", unit: "characters", most: 2000 } as const;
  return new PageEmulator(dialect, options).listen();
}
