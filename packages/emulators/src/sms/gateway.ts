import { CallbackQueue, type CallbackStats } from "../core/callback-queue.ts";
import type { ControlTable } from "../core/control.ts";
import { Emulator, seen } from "../core/emulator.ts";
import { faultAccepts, isMagic, type Fault } from "../core/fault.ts";
import { createOutgoing } from "../core/outgoing.ts";
import { Ring } from "../core/ring.ts";
import type { Answer, Call, Handled } from "../core/server.ts";
import { Throttle } from "../core/throttle.ts";
import { gatewayControl } from "./control.ts";
import { gatewayMagic, type GatewayMagic, type MagicCodes } from "./magic.ts";
import type {
  GatewayCall,
  GatewayMessage,
  GatewayOptions,
  GatewayState,
  SeenReceipt,
} from "./options.ts";

/** A refused call, by the gateway's own code. */
export class GatewayRefusal extends Error {
  readonly code: string;
  constructor(code: string, words = "") {
    super(words);
    this.code = code;
  }
}

/** A send as the gateway's handler read it: everything that `take` needs to accept it. */
export type NewGatewayMessage = Pick<
  GatewayMessage,
  "id" | "account" | "from" | "to" | "text" | "correlation" | "receiptUrl"
> & { readonly facts?: Readonly<Record<string, string>> };

/**
 * The common part of all emulated SMS gateways: magic numbers, receipts with retries. A gateway adds how it reads
 * a call, how it refuses and what its receipts look like. The ledger counts by recipient and the sender's own id.
 */
export abstract class SmsGateway extends Emulator<GatewayOptions, GatewayMessage> {
  abstract override readonly name: string;
  protected readonly maxBodyBytes = 1024 * 1024;
  protected readonly line: CallbackQueue<GatewayCall>;
  protected abstract readonly codes: MagicCodes;
  /** Code of the gateway's throttle. */
  protected abstract readonly throttleCode: string;

  readonly #outgoing;
  readonly #seen: Ring<SeenReceipt>;
  readonly #sends: Throttle;

  constructor(options: GatewayOptions) {
    super(options);
    this.#sends = new Throttle(this.clock);
    this.#seen = new Ring(options.journalSize ?? 500);
    this.#outgoing = createOutgoing(options.webhook?.timeoutMs ?? 15_000);
    this.line = new CallbackQueue<GatewayCall>({
      clock: this.clock,
      mode: options.delivery ?? "timed",
      batchSize: 1,
      concurrency: options.webhook?.concurrency ?? 8,
      retryDelaysMs: options.webhook?.retryDelaysMs ?? [60_000, 300_000, 900_000],
      capacity: 1_000_000,
      groupOf: ({ url }) => url,
      send: ([item]) => (item ? this.#deliver(item) : Promise.resolve(true)),
    });
  }

  /** Answers one call to the gateway's own API; throws `GatewayRefusal`. `to` is the recipient of a send, else null. */
  protected abstract route(call: Call, fault: { current: Fault | null }): Promise<Answer>;
  /** The recipient of a send as the call names it; null when the call is no send. */
  protected abstract recipientOf(call: Call): string | null;
  /** The gateway's document for a refusal. `status` is the HTTP status that a fault asks for. */
  protected abstract refuse(refusal: GatewayRefusal, status: number | undefined): Answer;
  /** The gateway's calls to us about a message; none when it has nobody to tell. */
  protected abstract receipts(
    message: GatewayMessage,
    state: GatewayState,
    code: string | null,
  ): GatewayCall[];
  /** The code of a fault `{ kind: "code", code }` as the gateway writes it. */
  protected codeOf(number: number): string {
    return String(number);
  }

  protected control(): ControlTable {
    return gatewayControl(this);
  }

  protected async handle(call: Call): Promise<Handled> {
    const to = this.recipientOf(call);
    const fault = { current: this.faults.take(to === null ? "media" : "send", to) };
    const given = fault.current;
    let answer: Answer;
    try {
      // A fault's text may quote the message, as careless gateways do.
      const text = `${decodeURIComponent(call.query.toString().replaceAll("+", " "))} ${readable(call.body)}`;
      const words = (given?.details ?? "").replaceAll("{{request}}", text);
      const refusal = new GatewayRefusal(this.codeOf(given?.code ?? 0), words);
      if (given?.kind === "code" && !given.accepted) throw refusal;
      answer =
        given === null || faultAccepts(given)
          ? await this.route(call, fault)
          : { status: 200, body: "" };
      if (given?.kind === "code") throw refusal;
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error;
      answer = this.refuse(error, given?.status);
      answer = { ...answer, headers: { ...answer.headers, ...given?.headers } };
    }
    this.noteRequest(seen(this, call, answer, fault.current));
    return { answer, fault: fault.current };
  }

  /**
   * Accepts a message, unless its number or the throttle says otherwise: ledger, record, receipts. False: a number
   * that cuts the line before acceptance.
   */
  protected async take(
    fresh: NewGatewayMessage,
    fault: { current: Fault | null },
  ): Promise<GatewayMessage | null> {
    if (!this.#sends.take("", this.options.messagesPerSecond ?? null))
      throw new GatewayRefusal(this.throttleCode);
    const meant = this.magic && isMagic(fresh.to);
    const magic = meant ? gatewayMagic(this.codes, fresh.to) : null;
    if (magic?.kind === "refuse") throw new GatewayRefusal(magic.code);
    if (magic?.kind === "connection") {
      fault.current = { kind: magic.hang ? "hang" : "drop", accepted: magic.accepted };
      if (!magic.accepted) return null;
    }
    const message: GatewayMessage = {
      facts: {},
      ...fresh,
      createdAt: this.clock.now(),
      state: "accepted",
      code: null,
    };
    this.noteMessage(message.id, message);
    this.ledger.accept(message.account, message.to, message.correlation);
    await this.#plan(message, magic);
    return message;
  }

  async #plan(message: GatewayMessage, magic: GatewayMagic | null): Promise<void> {
    const options = this.options.receipts ?? {};
    if (options.auto === false) return;
    const states: readonly GatewayState[] =
      magic?.kind === "states"
        ? magic.states
        : [magic?.kind === "failed" ? ("failed" as const) : ("delivered" as const)];
    const [least, most] = options.deliveredMs ?? [40, 120];
    const early = options.beforeAnswer === true || (magic?.kind === "states" && magic.early);
    let due = message.createdAt + (early ? 0 : this.random.between(least, most));
    for (const state of states) {
      if (this.random.chance(options.lossChance ?? 0)) continue;
      const code = state === "failed" && magic?.kind === "failed" ? magic.code : null;
      const times = this.random.chance(options.duplicateChance ?? 0) ? 2 : 1;
      for (let i = 0; i < times; i++) this.#report(message, state, code, due++);
    }
    if (early) await this.flush();
  }

  #report(message: GatewayMessage, state: GatewayState, code: string | null, due: number): void {
    message.state = state;
    message.code = code;
    for (const call of this.receipts(message, state, code)) this.line.push(due, call);
  }

  async #deliver(call: GatewayCall): Promise<boolean> {
    const { method, url, headers, body } = call;
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const { status } = await this.#outgoing.call(method, url, headers, bytes);
    this.#seen.push({ at: this.clock.now(), call, status });
    return status !== null && status >= 200 && status < 300;
  }

  /** Queues one report about an accepted message. */
  status(push: { id: string; state: GatewayState; code?: string; times?: number }): void {
    const message = this.message(push.id);
    if (!message) throw new Error(`no message ${push.id}`);
    for (let i = 0; i < (push.times ?? 1); i++)
      this.#report(message, push.state, push.code ?? null, this.clock.now());
  }
  /** Queues a given call. */
  push(call: GatewayCall): void {
    this.line.push(this.clock.now(), call);
  }
  callbacks(): readonly SeenReceipt[] {
    return this.#seen.all();
  }
  get stats(): CallbackStats {
    return this.line.stats;
  }
  override clear(): void {
    super.clear();
    this.#seen.clear();
  }
  override async close(): Promise<void> {
    await super.close();
    this.#outgoing.close();
  }
}

/** A body as a careless gateway quotes it. */
function readable(body: Buffer): string {
  const text = body.toString("utf8");
  if (text.startsWith("{")) return text;
  return [...new URLSearchParams(text)].map(([name, value]) => `${name}: ${value}`).join(", ");
}
