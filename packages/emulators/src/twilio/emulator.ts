import { CallbackQueue, type CallbackStats } from "../core/callback-queue.ts";
import { SimClock } from "../core/clock.ts";
import { Faults, type Fault } from "../core/fault.ts";
import { Ledger } from "../core/ledger.ts";
import { createOutgoing } from "../core/outgoing.ts";
import { Random } from "../core/random.ts";
import { BoundedMap, Ring } from "../core/ring.ts";
import { listen, loopback, type EmulatorServer, type SeenRequest } from "../core/server.ts";
import { handleApi } from "./api.ts";
import { twilioControl } from "./control.ts";
import { withControl } from "../core/control.ts";
import type { SmsMagic } from "./magic.ts";
import type { SeenCallback, SmsMessage, TwilioAccount, TwilioOptions } from "./options.ts";
import { countParts } from "./segments.ts";
import { signForm } from "./signature.ts";
import { planCallbacks } from "./statuses.ts";

interface Queued {
  readonly account: TwilioAccount;
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
}

const STOP = /^\s*(stop|stopall|unsubscribe|cancel|end|quit)\s*$/i;
const START = /^\s*(start|yes|unstop)\s*$/i;

/** Twilio's Messages API of our own. The methods are what the control surface does over HTTP. */
export class TwilioEmulator implements AsyncDisposable {
  readonly options: TwilioOptions;
  /** Whether magic addresses have their meaning; may be turned on and off. */
  magic: boolean;
  readonly clock: SimClock;
  readonly random: Random;
  readonly faults: Faults;
  readonly accounts = new Map<string, TwilioAccount>();
  /** Acceptances per recipient and query of the status callback, which carries the sender's own id. */
  readonly ledger: Ledger;
  /** Called for every accepted message: a customer that answers. */
  onAccepted: ((message: SmsMessage) => void) | undefined;
  readonly #queue: CallbackQueue<Queued>;
  readonly #outgoing;
  readonly #messages = new BoundedMap<string, SmsMessage>(20_000);
  readonly #stopped = new Set<string>();
  readonly #requests: Ring<SeenRequest>;
  readonly #seen: Ring<SeenCallback>;
  #wrongSignatures = 0;
  #server: EmulatorServer | undefined;
  #stamps: number[] = [];

  constructor(options: TwilioOptions) {
    this.options = options;
    this.magic = options.magic ?? true;
    this.clock = new SimClock(options.clock);
    this.random = new Random(options.seed ?? 1);
    this.faults = new Faults(this.random);
    this.ledger = new Ledger(options.ledgerSize ?? 1_000_000);
    this.#requests = new Ring(options.journalSize ?? 500);
    this.#seen = new Ring(options.journalSize ?? 500);
    this.#outgoing = createOutgoing(options.webhook?.timeoutMs ?? 15_000);
    this.#queue = new CallbackQueue<Queued>({
      clock: this.clock,
      mode: options.delivery ?? "timed",
      batchSize: 1,
      concurrency: options.webhook?.concurrency ?? 8,
      retryDelaysMs: options.webhook?.retryDelaysMs ?? [],
      capacity: 1_000_000,
      groupOf: ({ url }) => url,
      send: ([item]) => (item ? this.#deliver(item) : Promise.resolve(true)),
    });
    for (const account of options.accounts ?? []) this.addAccount(account);
  }

  /** For the provider's `api_url`: without the version path. */
  get url(): string {
    return this.#server?.url ?? "";
  }

  async listen(): Promise<this> {
    this.#server = await listen({
      host: loopback(this.options.host),
      port: this.options.port ?? 0,
      maxBodyBytes: 1024 * 1024,
      handle: withControl(this, "twilio", twilioControl(this), (call) => handleApi(this, call)),
    });
    return this;
  }

  addAccount(account: TwilioAccount): void {
    this.accounts.set(account.accountSid, account);
  }

  /** A customer writes to one of our numbers. STOP keeps us from writing back (21610) until START. */
  inbound(message: { accountSid?: string; from: string; to: string; body: string }): string {
    const account = [...this.accounts.values()].find(
      (one) =>
        (message.accountSid ?? one.accountSid) === one.accountSid &&
        one.numbers.some((n) => n.number === message.to),
    );
    const url = account?.numbers.find((n) => n.number === message.to)?.smsUrl;
    if (!account) throw new Error(`no account has ${message.to}`);
    const { from, to, body } = message;
    if (STOP.test(body)) this.#stopped.add(`${to} ${from}`);
    if (START.test(body)) this.#stopped.delete(`${to} ${from}`);
    const sid = `SM${this.random.hex(16)}`;
    if (url !== undefined) {
      const form = {
        ToCountry: "US",
        SmsMessageSid: sid,
        NumMedia: "0",
        SmsSid: sid,
        SmsStatus: "received",
        Body: body,
        FromCountry: "KW",
        To: to,
        NumSegments: String(countParts(body)),
        MessageSid: sid,
        AccountSid: account.accountSid,
        From: from,
        ApiVersion: "2010-04-01",
      };
      this.#queue.push(this.clock.now(), { account, url, form });
    }
    return sid;
  }

  /** The customer wrote STOP before: what a restarted emulator is told. Numbers with their plus. */
  restoreStop(from: string, to: string): void {
    this.#stopped.add(`${to} ${from}`);
  }

  /** Queues one status callback of an accepted message. */
  status(push: { sid: string; status: string; errorCode?: number; times?: number }): void {
    const message = this.#messages.get(push.sid);
    if (!message) throw new Error(`no message ${push.sid}`);
    for (let i = 0; i < (push.times ?? 1); i++)
      this.#queueStatus(message, push.status, push.errorCode ?? null, this.clock.now());
  }

  fault(fault: Fault): void {
    this.faults.add(fault);
  }
  /** The next callbacks carry a signature that does not fit. */
  spoilSignature(calls = 1): void {
    this.#wrongSignatures = calls;
  }
  /** Attempts every waiting callback once, due or not. */
  flush(concurrency?: number): Promise<number> {
    return this.#queue.flush(concurrency);
  }
  /** Moves the emulator's clock and delivers what became due. */
  advance(ms: number): Promise<number> {
    this.clock.advance(ms);
    return this.#queue.deliverDue();
  }
  release(): void {
    this.#server?.release();
  }
  requests(): readonly SeenRequest[] {
    return this.#requests.all();
  }
  callbacks(): readonly SeenCallback[] {
    return this.#seen.all();
  }
  messages(): SmsMessage[] {
    return this.#messages.values();
  }
  message(sid: string): SmsMessage | undefined {
    return this.#messages.get(sid);
  }
  get stats(): CallbackStats {
    return this.#queue.stats;
  }
  clear(): void {
    this.#requests.clear();
    this.#seen.clear();
    this.ledger.clear();
    this.faults.clear();
    this.#queue.clear();
    this.#stopped.clear();
    for (const message of this.#messages.values()) this.#messages.delete(message.sid);
  }
  async close(): Promise<void> {
    await this.#server?.close();
    await this.#queue.close();
    this.#outgoing.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // What the API handlers use.

  noteRequest(request: SeenRequest): void {
    this.#requests.push(request);
  }
  hasStopped(from: string, to: string): boolean {
    return this.#stopped.has(`${from} ${to}`);
  }
  /** False when this second is full; counts the call otherwise. */
  takeTurn(): boolean {
    const most = this.options.messagesPerSecond ?? null;
    if (most === null) return true;
    const now = this.clock.now();
    this.#stamps = this.#stamps.filter((at) => at > now - 1000 && at <= now);
    if (this.#stamps.length >= most) return false;
    this.#stamps.push(now);
    return true;
  }

  /** Takes a message: ledger, record, statuses. */
  async accept(message: SmsMessage, magic: SmsMagic | null): Promise<void> {
    this.#messages.set(message.sid, message);
    const callback = message.statusCallback === null ? "" : new URL(message.statusCallback).search;
    this.ledger.accept(message.accountSid, message.to, callback);
    this.onAccepted?.(message);
    const options = this.options.statuses ?? {};
    if (options.auto === false) return;
    const early =
      options.beforeAnswer === true || (magic?.kind === "statuses" && magic.early === true);
    for (const planned of planCallbacks(options, this.random, magic, early))
      this.#queueStatus(
        message,
        planned.status,
        planned.errorCode,
        message.createdAt + planned.afterMs,
      );
    if (early) await this.flush();
  }

  #queueStatus(message: SmsMessage, status: string, errorCode: number | null, due: number): void {
    message.status = status;
    message.errorCode = errorCode;
    const account = this.accounts.get(message.accountSid);
    if (!account || message.statusCallback === null) return;
    const form = {
      ...(errorCode === null ? {} : { ErrorCode: String(errorCode) }),
      ApiVersion: "2010-04-01",
      MessageStatus: status,
      SmsSid: message.sid,
      SmsStatus: status,
      To: message.to,
      ...(message.from === null ? {} : { From: message.from }),
      ...(message.messagingServiceSid === null
        ? {}
        : { MessagingServiceSid: message.messagingServiceSid }),
      MessageSid: message.sid,
      AccountSid: message.accountSid,
    };
    this.#queue.push(due, { account, url: message.statusCallback, form });
  }

  async #deliver({ account, url, form }: Queued): Promise<boolean> {
    const token = this.#wrongSignatures-- > 0 ? `${account.authToken}x` : account.authToken;
    const signature = signForm(token, url, form);
    const { status } = await this.#outgoing.call(
      "POST",
      url,
      {
        "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
        "user-agent": "TwilioProxy/1.1",
        "i-twilio-idempotency-token": this.random.hex(16),
        "x-twilio-signature": signature,
      },
      Buffer.from(new URLSearchParams(form).toString()),
    );
    this.#seen.push({ at: this.clock.now(), url, form, signature, status });
    return status !== null && status >= 200 && status < 300;
  }
}

/** Starts a Twilio Messages API of our own on a loopback port. */
export function createTwilioEmulator(options: TwilioOptions = {}): Promise<TwilioEmulator> {
  return new TwilioEmulator(options).listen();
}
