import { randomInt } from "node:crypto";
import { isIPv6, type LookupFunction } from "node:net";
import smpp, { type Pdu, type Session } from "smpp";
import { AddressRefused, type AddressGuard } from "../address-guard.ts";
import { lookupBy, lookupName } from "../resolve-name.ts";
import "./read-pdu.ts";

/** The account and address of a bind. `key` stands for all of it: accounts with the same key share one link. */
export interface SmppPeer {
  readonly key: string;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** True when each bind goes through the address guard. */
  readonly guarded?: boolean;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  /** Identifies the account to the receiver of inbound events. */
  readonly owner: Readonly<Record<string, string>>;
}

/** What came of handing over one PDU. `lost`: it was written but not answered, so the message may have gone out. */
export type Handover =
  | { readonly kind: "answered"; readonly status: number; readonly messageId: string }
  | NotSent
  | { readonly kind: "lost"; readonly code: "TIMEOUT" | "RESET" };

export interface NotSent {
  readonly kind: "not_sent";
  readonly code: "TIMEOUT" | "RESET" | "CLOSED" | "CONNECT" | "TLS" | "BIND" | "BLOCKED";
  readonly bindStatus?: number;
  /** With `TLS`: the code of the handshake's error (`CERT_HAS_EXPIRED`). */
  readonly fault?: string;
}

/** An inbound event: a deliver_sm, or the late answer to a submit that was given up. */
export type SmppEvent =
  | {
      readonly kind: "deliver";
      readonly pdu: Pdu;
      readonly ourId: (messageId: string) => string | null;
    }
  | {
      readonly kind: "late";
      readonly id: string;
      /** The part's place. Those before it were taken, those behind it never left. */
      readonly part: PartPlace;
      readonly status: number;
      readonly messageId: string;
    };

/** The place of a part among those of its text. */
export interface PartPlace {
  /** From 0. */
  readonly index: number;
  readonly total: number;
}

export type TakeSmppEvent = (owner: SmppPeer["owner"], event: SmppEvent) => Promise<void>;

export interface SmppTimes {
  readonly bindMs: number;
  readonly enquireMs: number;
  readonly answerMs: number;
  /** Milliseconds until a broken link is bound again. The gap doubles with each failure, up to thirty times this. */
  readonly rebindMs: number;
}

const WINDOW = 10;
const IDS_KEPT = 20_000;
/** The most submits that may wait for a late answer. A peer may answer none of them and still keep its link. */
const ASKED = 1_000;
const TEMPORARY_APP_ERROR = 0x64;
const INVALID_COMMAND = 0x03;
/** ESME_RINVBNDSTS: for the peer this link is not bound any more. */
const NOT_BOUND = 0x04;
/** How long the peer has to close a link that has ended. */
const GOODBYE_MS = 500;
/** The commands that we accept unasked. All others are refused as invalid. */
const TAKEN: readonly string[] = [
  "deliver_sm",
  "data_sm",
  "enquire_link",
  "unbind",
  "alert_notification",
  "outbind",
];

/** One bound transceiver. While it is kept, it is bound again whenever it breaks. */
export class SmppLink {
  readonly peer: SmppPeer;
  readonly #take: TakeSmppEvent;
  readonly #times: SmppTimes;
  readonly #guard: AddressGuard | undefined;
  #session: Session | null = null;
  #opening: Session | null = null;
  #binding: Promise<Handover | null> | null = null;
  #closed = false;
  #kept = false;
  #failures = 0;
  #rebind: NodeJS.Timeout | undefined;
  #outstanding = 0;
  readonly #waiting: (() => void)[] = [];
  /** What to do for each unanswered submit when the link breaks. */
  readonly #inFlight = new Set<() => void>();
  /** Unanswered submits of the session, by sequence number. The oldest are forgotten. */
  readonly #asked = new Map<number, (answer: Pdu) => void>();
  /**
   * The peer's message ids of the last submits, each with ours. A receipt may come before the database knows the id.
   */
  readonly #ids = new Map<string, string>();
  #reference = randomInt(256);
  usedAt = performance.now();

  /** `take` receives inbound events. Without a `guard`, a guarded peer is never bound. */
  constructor(peer: SmppPeer, take: TakeSmppEvent, times: SmppTimes, guard?: AddressGuard) {
    this.peer = peer;
    this.#guard = guard;
    this.#take = take;
    this.#times = times;
  }

  /** The reference number, 0 to 255, for the parts of the next long message. */
  nextReference(): number {
    this.#reference = (this.#reference + 1) % 256;
    return this.#reference;
  }

  /** True keeps the link bound while nothing is sent, so that receipts come in. */
  keep(kept: boolean): void {
    this.#kept = kept;
    if (kept && !this.#session && !this.#rebind) void this.#bound();
  }
  get kept(): boolean {
    return this.#kept;
  }

  /**
   * Hands over one submit_sm. `id` is our message's id, for a late answer and the receipt. `part` is the place in the
   * text. `deadline` is a time of `performance.now()`.
   */
  async submit(id: string, fields: object, part: PartPlace, deadline: number): Promise<Handover> {
    this.usedAt = performance.now();
    const fault = await within(this.#bound(), deadline, NOT_IN_TIME);
    if (fault) return fault;
    if (!(await this.#enter(deadline))) return NOT_IN_TIME;
    const session = this.#session;
    if (!session) {
      this.#leave();
      return { kind: "not_sent", code: "RESET" };
    }
    const { promise, resolve } = Promise.withResolvers<Handover>();
    let given = false;
    const settle = (handover: Handover) => {
      if (given) return;
      given = true;
      clearTimeout(timer);
      this.#inFlight.delete(broken);
      this.#leave();
      resolve(handover);
    };
    const broken = () => settle({ kind: "lost", code: "RESET" });
    const left = Math.max(1, deadline - performance.now());
    const timer = setTimeout(() => settle({ kind: "lost", code: "TIMEOUT" }), left);
    this.#inFlight.add(broken);
    const pdu = new smpp.PDU("submit_sm", fields);
    if (!session.send(pdu)) settle({ kind: "not_sent", code: "RESET" });
    else
      this.#ask(pdu, (answer) => {
        const status = answer.command_status;
        const named = answer["message_id"];
        const messageId = typeof named === "string" ? named : "";
        if (status === 0 && messageId !== "") this.#remember(messageId, id);
        if (status === NOT_BOUND) partWith(session);
        const late = given;
        settle({ kind: "answered", status, messageId });
        if (late) void this.#tell({ kind: "late", id, part, status, messageId });
      });
    return promise;
  }

  /** Unbinds, and never binds again. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rebind);
    this.#opening?.destroy();
    const session = this.#session;
    if (!session) return;
    const gone = new Promise<void>((resolve) => session.socket.once("close", () => resolve()));
    session.unbind({}, () => session.close());
    setTimeout(() => session.destroy(), GOODBYE_MS).unref();
    await gone;
  }

  // The library would keep each callback until the link ends, so we match the answers ourselves.
  #ask({ sequence_number: number }: Pdu, answered: (answer: Pdu) => void): void {
    this.#asked.set(number, answered);
    const oldest = this.#asked.size > ASKED ? this.#asked.keys().next().value : undefined;
    if (oldest !== undefined) this.#asked.delete(oldest);
  }

  #answered(session: Session, pdu: Pdu): void {
    if (session !== this.#session) return;
    const answered = this.#asked.get(pdu.sequence_number);
    this.#asked.delete(pdu.sequence_number);
    answered?.(pdu);
  }

  #bound(): Promise<Handover | null> {
    if (this.#session) return Promise.resolve(null);
    if (this.#closed) return Promise.resolve({ kind: "not_sent", code: "CLOSED" });
    this.#binding ??= this.#bind().finally(() => (this.#binding = null));
    return this.#binding;
  }

  /**
   * How the socket looks up the host; null when the guard refuses the host. The guard judges the very addresses to
   * which the socket then connects.
   */
  #lookup(): LookupFunction | null {
    const { guarded, host, port } = this.peer;
    if (guarded !== true) return lookupName;
    const guard = this.#guard;
    if (guard === undefined) return null;
    try {
      // The guard knows http and https only. Of an SMSC it judges host and port.
      const url = guard.inspect(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`);
      return lookupBy(() => guard.addressesOf(url));
    } catch (error) {
      if (error instanceof AddressRefused) return null;
      throw error;
    }
  }

  /** Binds the link. Null when it is bound, else why it is not. */
  #bind(): Promise<Handover | null> {
    clearTimeout(this.#rebind);
    this.#rebind = undefined;
    const { host, port, tls, systemId, password, systemType } = this.peer;
    const lookup = this.#lookup();
    if (lookup === null) return Promise.resolve({ kind: "not_sent", code: "BLOCKED" });
    const { promise, resolve } = Promise.withResolvers<Handover | null>();
    const session = smpp.connect({ host, port, tls, lookup });
    this.#opening = session;
    // The failure if the session ends now: first of the connection, then of the handshake, then of the bind.
    let refused: NotSent = { kind: "not_sent", code: "CONNECT" };
    const timer = setTimeout(() => {
      if (refused.code === "RESET") refused = NOT_IN_TIME;
      session.destroy();
    }, this.#times.bindMs);
    session.on("connect", () => {
      const unfinished = "the handshake was not finished in time";
      refused = { kind: "not_sent", ...(tls ? { code: "TLS", fault: unfinished } : RESET) };
    });
    session.on("error", (error: NodeJS.ErrnoException) => {
      if (error instanceof AddressRefused) refused = { kind: "not_sent", code: "BLOCKED" };
      else if (refused.code === "TLS") refused = { ...refused, fault: error.code ?? error.name };
      session.destroy();
    });
    session.on("close", () => {
      clearTimeout(timer);
      if (this.#opening === session) this.#opening = null;
      resolve(refused);
      this.#broke(session);
    });
    session.on(tls ? "secureConnect" : "connect", () => {
      refused = { kind: "not_sent", ...RESET };
      const bind = {
        system_id: systemId,
        password,
        system_type: systemType,
        interface_version: 0x34,
      };
      session.bind_transceiver(bind, ({ command_status: status }) => {
        clearTimeout(timer);
        this.#opening = null;
        if (status !== 0) {
          refused = { kind: "not_sent", code: "BIND", bindStatus: status };
          session.destroy();
          return;
        }
        this.#session = session;
        this.#asked.clear();
        this.#failures = 0;
        this.#watch(session);
        resolve(null);
      });
    });
    for (const command of ["deliver_sm", "data_sm"])
      session.on(command, (pdu: Pdu) => void this.#delivered(session, pdu));
    session.on("pdu", (pdu: Pdu) => {
      if (pdu.isResponse()) this.#answered(session, pdu);
      else if (!TAKEN.includes(pdu.command))
        session.send(pdu.response({ command_status: INVALID_COMMAND }));
    });
    session.on("enquire_link", (pdu: Pdu) => void session.send(pdu.response()));
    session.on("unbind", (pdu: Pdu) => {
      session.send(pdu.response());
      partWith(session);
    });
    return promise;
  }

  /** Ends the link when the peer stops answering enquiries. */
  #watch(session: Session): void {
    const { enquireMs, answerMs } = this.#times;
    const every = setInterval(() => {
      const silent = setTimeout(() => session.destroy(), answerMs);
      silent.unref();
      session.enquire_link({}, () => clearTimeout(silent));
    }, enquireMs);
    every.unref();
    session.on("close", () => clearInterval(every));
  }

  #broke(session: Session): void {
    if (this.#session === session) this.#session = null;
    else if (this.#session) return;
    for (const broken of this.#inFlight) broken();
    if (!this.#kept || this.#closed || this.#rebind) return;
    const gap = this.#times.rebindMs * Math.min(30, 2 ** this.#failures++);
    this.#rebind = setTimeout(() => {
      this.#rebind = undefined;
      void this.#bound();
    }, gap);
    this.#rebind.unref();
  }

  /** Answers only after the event is stored. The peer sends again what could not be stored. */
  async #delivered(session: Session, pdu: Pdu): Promise<void> {
    const ourId = (messageId: string) => this.#ids.get(messageId) ?? null;
    const stored = await this.#tell({ kind: "deliver", pdu, ourId });
    session.send(pdu.response(stored ? {} : { command_status: TEMPORARY_APP_ERROR }));
  }

  async #tell(event: SmppEvent): Promise<boolean> {
    try {
      await this.#take(this.peer.owner, event);
      return true;
    } catch {
      return false;
    }
  }

  #remember(messageId: string, id: string): void {
    this.#ids.set(messageId, id);
    const oldest = this.#ids.size > IDS_KEPT ? this.#ids.keys().next().value : undefined;
    if (oldest !== undefined) this.#ids.delete(oldest);
  }

  async #enter(deadline: number): Promise<boolean> {
    while (this.#outstanding >= WINDOW) {
      const { promise, resolve } = Promise.withResolvers<null>();
      this.#waiting.push(() => resolve(null));
      if ((await within(promise, deadline, NOT_IN_TIME)) !== null) return false;
    }
    this.#outstanding++;
    return true;
  }
  #leave(): void {
    this.#outstanding--;
    // All waiting submits look again. One that has given up must not take the place.
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/**
 * Ends a link that the peer has given up. The peer may not close its side; then nothing would be sent until an enquiry
 * stays unanswered.
 */
function partWith(session: Session): void {
  session.close();
  setTimeout(() => session.destroy(), GOODBYE_MS).unref();
}

const RESET = { code: "RESET" } as const;
const NOT_IN_TIME: NotSent = { kind: "not_sent", code: "TIMEOUT" };

async function within<T>(work: Promise<T>, deadline: number, otherwise: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(otherwise), Math.max(1, deadline - performance.now()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
