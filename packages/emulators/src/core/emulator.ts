import type { BaseClock } from "./clock.ts";
import { SimClock } from "./clock.ts";
import { withControl, type ControlTable } from "./control.ts";
import { Faults, type Fault } from "./fault.ts";
import { Ledger } from "./ledger.ts";
import { Random } from "./random.ts";
import { BoundedMap, Ring } from "./ring.ts";
import { listen, loopback } from "./server.ts";
import type { Answer, Call, EmulatorServer, Handled, SeenRequest } from "./server.ts";

/** The options of every emulator. */
export interface EmulatorOptions {
  /** Default 127.0.0.1. Only loopback addresses: the control surface has no password. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  readonly seed?: number;
  readonly clock?: BaseClock;
  /** timed: callbacks leave when due; manual: only `flush()`, `advance()` and the control surface send them. Default timed. */
  readonly delivery?: "timed" | "manual";
  /** Whether magic addresses work. Default true. */
  readonly magic?: boolean;
  /** Entries of the journals. Default 500. */
  readonly journalSize?: number;
  /** Default 1,000,000 pairs of address and the sender's own id. */
  readonly ledgerSize?: number;
  /** The accepted messages that it remembers whole. Default 20,000. */
  readonly messagesKept?: number;
}

/** The callbacks that wait for their time. */
export interface Callbacks {
  /** Tries every waiting callback once, due or not. Gives how many were acknowledged. */
  flush(concurrency?: number): Promise<number>;
  /** Tries those that are due. */
  deliverDue(): Promise<number>;
  clear(): void;
  close(): Promise<void>;
}

/** Larger bodies are only a size in the journal of calls. */
const MOST_JOURNAL_BODY = 65_536;

/**
 * The common part of all emulated platforms: a server on loopback with a control surface, a clock, faults, the
 * ledger, the journal of calls, the accepted messages, callbacks. A platform adds how it answers a call and what
 * it calls back.
 */
export abstract class Emulator<
  Options extends EmulatorOptions,
  Message,
  Seen extends SeenRequest = SeenRequest,
> implements AsyncDisposable {
  /** The folder of the control surface: `/_sim/<name>/`. */
  protected abstract readonly name: string;
  protected abstract readonly maxBodyBytes: number;
  protected abstract readonly line: Callbacks;

  readonly options: Options;
  /** Whether magic addresses work; may be turned on and off. */
  magic: boolean;
  readonly clock: SimClock;
  readonly random: Random;
  readonly faults: Faults;
  /** How often each message was accepted for each address: the proof that nothing was sent twice. */
  readonly ledger: Ledger;
  readonly #messages: BoundedMap<string, Message>;
  readonly #requests: Ring<Seen>;
  #server: EmulatorServer | undefined;

  constructor(options: Options) {
    this.options = options;
    this.magic = options.magic ?? true;
    this.clock = new SimClock(options.clock);
    this.random = new Random(options.seed ?? 1);
    this.faults = new Faults(this.random);
    this.ledger = new Ledger(options.ledgerSize ?? 1_000_000);
    this.#messages = new BoundedMap(options.messagesKept ?? 20_000);
    this.#requests = new Ring(options.journalSize ?? 500);
  }

  /** The platform's own controls beside the common ones. */
  protected abstract control(): ControlTable;
  /** Answers one call of the platform's own API. */
  protected abstract handle(call: Call): Promise<Handled>;

  /** The address where it listens, without a trailing slash. */
  get url(): string {
    return this.#server?.url ?? "";
  }
  async listen(): Promise<this> {
    this.#server = await listen({
      host: loopback(this.options.host),
      port: this.options.port ?? 0,
      maxBodyBytes: this.maxBodyBytes,
      handle: withControl(this, this.name, this.control(), (call) => this.handle(call)),
    });
    return this;
  }

  fault(fault: Fault): void {
    this.faults.add(fault);
  }
  /** Tries every waiting callback once, due or not. Gives how many were acknowledged. */
  flush(concurrency?: number): Promise<number> {
    return this.line.flush(concurrency);
  }
  /** Moves the emulator's clock and delivers what became due. */
  advance(ms: number): Promise<number> {
    this.clock.advance(ms);
    return this.line.deliverDue();
  }
  /** Answers every delayed call now and cuts every hanging one. */
  release(): void {
    this.#server?.release();
  }

  /** The calls so far, oldest first. */
  requests(): readonly Seen[] {
    return this.#requests.all();
  }
  /** The messages that were accepted. */
  messages(): Message[] {
    return this.#messages.values();
  }
  message(id: string): Message | undefined {
    return this.#messages.get(id);
  }
  noteMessage(id: string, message: Message): void {
    this.#messages.set(id, message);
  }
  noteRequest(request: Seen): void {
    this.#requests.push(request);
  }

  /** Forgets journals, messages, faults and waiting callbacks; keeps accounts and customers. */
  clear(): void {
    this.#requests.clear();
    this.#messages.clear();
    this.ledger.clear();
    this.faults.clear();
    this.line.clear();
  }
  async close(): Promise<void> {
    await this.#server?.close();
    await this.line.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A call as the journal keeps it. */
export function seen(
  emulator: { readonly clock: SimClock },
  { method, path, body }: Call,
  { status }: Answer,
  fault: Fault | null,
): SeenRequest {
  const text = body.length > MOST_JOURNAL_BODY ? `(${body.length} bytes)` : body.toString("utf8");
  return { at: emulator.clock.now(), method, path, body: text, status, fault: fault?.kind ?? null };
}
