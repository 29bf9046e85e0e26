import { CallbackQueue, type CallbackStats } from "../core/callback-queue.ts";
import type { ControlTable } from "../core/control.ts";
import { Emulator } from "../core/emulator.ts";
import { createOutgoing } from "../core/outgoing.ts";
import { Ring } from "../core/ring.ts";
import type { Call, Handled } from "../core/server.ts";
import { Throttle } from "../core/throttle.ts";
import { handleApi } from "./api.ts";
import { twilioControl } from "./control.ts";
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

/**
 * An emulated Twilio Messages API. The control surface offers these methods over HTTP. Its ledger counts by
 * recipient and query of the status callback, which contains the sender's own id.
 */
export class TwilioEmulator extends Emulator<TwilioOptions, SmsMessage> {
  protected readonly name = "twilio";
  protected readonly maxBodyBytes = 1024 * 1024;
  protected readonly line: CallbackQueue<Queued>;
  readonly accounts = new Map<string, TwilioAccount>();
  /** Called for every accepted message, so that a customer can answer. */
  onAccepted: ((message: SmsMessage) => void) | undefined;
  readonly #outgoing;
  readonly #stopped = new Set<string>();
  readonly #seen: Ring<SeenCallback>;
  #wrongSignatures = 0;
  readonly #calls: Throttle;

  constructor(options: TwilioOptions) {
    super(options);
    this.#calls = new Throttle(this.clock);
    this.#seen = new Ring(options.journalSize ?? 500);
    this.#outgoing = createOutgoing(options.webhook?.timeoutMs ?? 15_000);
    this.line = new CallbackQueue<Queued>({
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

  protected control(): ControlTable {
    return twilioControl(this);
  }
  protected handle(call: Call): Promise<Handled> {
    return handleApi(this, call);
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
      this.line.push(this.clock.now(), { account, url, form });
    }
    return sid;
  }

  /** The customer wrote STOP before: for a restarted emulator. Numbers with their plus. */
  restoreStop(from: string, to: string): void {
    this.#stopped.add(`${to} ${from}`);
  }

  /** Queues one status callback of an accepted message. */
  status(push: { sid: string; status: string; errorCode?: number; times?: number }): void {
    const message = this.message(push.sid);
    if (!message) throw new Error(`no message ${push.sid}`);
    for (let i = 0; i < (push.times ?? 1); i++)
      this.#queueStatus(message, push.status, push.errorCode ?? null, this.clock.now());
  }

  /** Signs the next callbacks wrongly. */
  spoilSignature(calls = 1): void {
    this.#wrongSignatures = calls;
  }
  callbacks(): readonly SeenCallback[] {
    return this.#seen.all();
  }
  get stats(): CallbackStats {
    return this.line.stats;
  }
  override clear(): void {
    super.clear();
    this.#seen.clear();
    this.#stopped.clear();
  }
  override async close(): Promise<void> {
    await super.close();
    this.#outgoing.close();
  }

  // Used by the API handlers.

  hasStopped(from: string, to: string): boolean {
    return this.#stopped.has(`${from} ${to}`);
  }
  /** False when this second is full; otherwise counts the call. */
  takeTurn(): boolean {
    return this.#calls.take("", this.options.messagesPerSecond ?? null);
  }

  /** Accepts a message: ledger, record, statuses. */
  async accept(message: SmsMessage, magic: SmsMagic | null): Promise<void> {
    this.noteMessage(message.sid, message);
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
    this.line.push(due, { account, url: message.statusCallback, form });
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

/** Starts an emulated Twilio Messages API on a loopback port. */
export function createTwilioEmulator(options: TwilioOptions = {}): Promise<TwilioEmulator> {
  return new TwilioEmulator(options).listen();
}
